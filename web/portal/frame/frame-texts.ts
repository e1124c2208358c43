export const frame = {
  skip: 'Skip to content',
  navigation: 'Main',
  places: {
    home: 'Overview',
    links: 'Links',
    materials: 'Materials',
    conversions: 'Earnings',
    payouts: 'Payouts',
    settings: 'Settings',
  },
  account: {
    label: 'Account',
    of: 'Account of',
    settings: 'Settings',
    signOut: 'Log out',
  },
  preview: {
    title: (name: string) => `You see the portal as ${name}.`,
    detail: 'Nothing can be changed in this preview.',
    end: 'Back to the console',
  },
  pending: {
    title: 'Your application is under review',
    detail: (portal: string) => `You can look around. Your links start to earn when ${portal} approves you.`,
  },
  footer: {
    support: (address: string) => `Questions? ${address}`,
    terms: 'Terms',
  },
  missing: {
    title: 'Page not found',
    detail: 'The address may be mistyped, or the page was removed.',
    home: 'Go to the overview',
  },
  noPortal: {
    title: 'There is no portal at this address',
    detail: 'The address may be mistyped, or the portal was closed. Ask the merchant.',
  },
  ended: {
    title: 'Your session has ended',
    detail: 'Log in again to continue.',
  },
  tooOld: {
    title: 'Log in again to continue',
    detail: 'Your last login was a while ago. Your action continues after the login.',
  },
  signIn: 'Log in',
  emailCode: 'Request a code',
};
