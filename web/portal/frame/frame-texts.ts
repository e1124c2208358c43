/** Texts of the frame around every page. */
export const frame = {
  skip: 'Skip to the content',
  navigation: 'Main',
  places: {
    home: 'Overview',
    links: 'Links',
    conversions: 'Earnings',
    payouts: 'Payouts',
    settings: 'Settings',
  },
  account: {
    label: 'Account',
    of: 'Account of',
    settings: 'Settings',
    signOut: 'Sign out',
  },
  pending: {
    title: 'Your application is being looked at',
    detail: (portal: string) => `You can look around. As soon as ${portal} has let you in, your links begin to earn.`,
  },
  footer: {
    support: (address: string) => `Questions? ${address}`,
    terms: 'Terms',
  },
  missing: {
    title: 'There is nothing here',
    detail: 'The address may be mistyped, or what was here is gone.',
    home: 'To the overview',
  },
  noPortal: {
    title: 'There is no portal at this address',
    detail: 'It may be mistyped, or the portal was closed. Ask whoever gave you the link.',
  },
  ended: {
    title: 'Your session has ended',
    detail: 'Sign in again to go on where you were.',
  },
  tooOld: {
    title: 'Sign in again',
    detail: 'This change needs a recent sign-in, and your last one was a while ago.',
  },
  signIn: 'Sign in',
};
