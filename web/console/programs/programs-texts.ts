/** Texts of the page of one program, and of links to it. */
export const programs = {
  title: 'Programs',
  oneTitle: 'Program',
  editTitle: (name: string) => `Edit ${name}`,

  page: {
    edit: 'Edit',
    more: 'More',
    conversions: 'Commissions',
    tabs: 'Parts of this program',
    overview: 'Overview',
    collaborators: 'Partners',
    signUp: 'Sign-up',
    versions: 'Versions',
    version: (version: number | string) => `Version ${version}`,
    deletedNotice: 'It is deleted: it pays nothing, and can’t be changed. What it has paid stays.',
    draftNotice: 'It is a draft: nothing touches it and it pays nothing.',
    inactiveNotice: 'It is switched off: nothing touches it and it pays nothing new.',
  },

  overview: {
    words: 'The rule in words',
    group: 'Its group:',
    figures: 'Last 30 days',
    against: 'against the 30 days before',
    visits: 'Clicks',
    sales: 'Sales',
    conversions: 'Commissions',
    revenue: 'Revenue',
    earned: 'Earned',
    chart: (currency: string) => `Revenue by day, in ${currency}`,
    thisPeriod: 'Last 30 days',
    before: '30 days before',
    top: 'Who earns here',
    topHelp: 'By what they earned in the last 30 days.',
    nobody: 'Nobody yet in these 30 days.',
  },
};
