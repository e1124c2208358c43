/** Texts of the page of one program, and of links to it. */
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
    figures: 'Last 30 days',
    against: 'compared with the previous 30 days',
    visits: 'Clicks',
    sales: 'Sales',
    conversions: 'Commissions',
    revenue: 'Revenue',
    earned: 'Earned',
    chart: (currency: string) => `Revenue by day, in ${currency}`,
    thisPeriod: 'Last 30 days',
    before: 'Previous 30 days',
    top: 'Top partners',
    topHelp: 'By earnings in the last 30 days.',
    nobody: 'No earnings in the last 30 days.',
  },
};
