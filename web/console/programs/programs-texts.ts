export const programs = {
  title: 'Programs',
  oneTitle: 'Program',
  editTitle: (name: string) => `Edit ${name}`,

  page: {
    edit: 'Edit',
    more: 'More',
    conversions: 'Commissions',
    tabs: 'Sections of this program',
    overview: 'Overview',
    collaborators: 'Partners',
    signUp: 'Sign-up',
    versions: 'Versions',
    version: (version: number | string) => `Version ${version}`,
    deletedNotice: 'This program is deleted. It pays nothing new and can’t be changed.',
    draftNotice: 'This program is a draft and pays nothing.',
    inactiveNotice: 'This program is inactive and pays nothing new.',
  },

  overview: {
    words: 'Rule text',
    group: 'Its group:',
  },
};
