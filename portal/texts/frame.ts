/** What stands around every page. */
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
    of: 'Account of',
    settings: 'Settings',
    appearance: 'Appearance',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
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
    title: 'Sign in once more',
    detail: 'You are about to change how you sign in. It has to be you, and your last sign-in was a while ago.',
  },
  signIn: 'Sign in',
};
