export const agreement = {
  title: 'Partner agreement',
  description: (portal: string) => `The agreement between you and ${portal}.`,
  none: (portal: string) => `${portal} has no partner agreement at the moment.`,
  version: (version: number) => `Version ${version}`,
  published: 'Published',
  acceptedAt: 'You accepted it',
  accept: 'I accept this agreement',
  accepted: 'You accepted the agreement',
  earlier: (version: number) => `Version ${version}, which you accepted`,
  read: 'Read the agreement',
  unaccepted: 'You have not accepted the current version yet.',
  acceptedVersion: (version: number) => `You accepted version ${version}`,
  field: (portal: string) => `Partner agreement of ${portal}`,
  check: 'I accept the partner agreement',
  banner: {
    title: 'Please accept the partner agreement',
    detail: (portal: string) =>
      `${portal} published an agreement for partners. Accept it to create links and to request payouts. Your current links keep earning.`,
    read: 'Read and accept',
  },
};
