import { formatCount } from '#ui/formats/numbers.ts';

/** The list of programs, a new one, and the page of one. */
export const programs = {
  title: 'Programs',
  description: 'Who earns, on what, and how much.',
  newTitle: 'New program',
  oneTitle: 'Program',
  editTitle: (name: string) => `Edit ${name}`,
  new: 'New program',
  search: 'Search programs',

  list: {
    label: 'Programs',
    row: (name: string) => `program ${name}`,
    name: 'Program',
    status: 'State',
    reward: 'Reward',
    who: 'Collaborators',
    everyone: 'Everyone',
    enrolled: (count: number) => `${formatCount(count)} enrolled`,
    visits: 'Visits',
    sales: 'Sales',
    revenue: 'Revenue',
    earned: 'Earned',
    created: 'Created',
    statuses: [
      { value: 'active', label: 'Active' },
      { value: 'draft', label: 'Draft' },
      { value: 'inactive', label: 'Inactive' },
      { value: 'deleted', label: 'Deleted' },
    ],
    enrollment: 'Who may take part',
    enrollments: [
      { value: 'everyone', label: 'Everyone' },
      { value: 'selected', label: 'Who is enrolled' },
    ],
    figures: 'Figures are of the last 30 days.',
    emptyTitle: 'No programs yet',
    empty: 'A program says who may earn, on what and how much. Begin with a recipe, and change what you like.',
    emptyCopy:
      'curl -X POST $WHENCE/v1/programs -H "Authorization: Bearer $KEY" -H \'Content-Type: application/json\' -d \'{"name": "Friends", "reward": {"type": "percent", "percent": 10}}\'',
  },

  recipes: {
    description: 'Begin with what comes closest. Everything can be changed before it is saved.',
    blank: 'Blank',
    blankHelp: 'Ten percent for whoever referred last. The rest is up to you.',
    use: (title: string) => `Use ${title}`,
    several: (count: number) => `${count} programs in a group`,
    event: 'Listens to an event of yours',
    setTitle: 'What this makes',
    setHelp: (count: number) => `${count} programs. Each can be changed later.`,
    group: (count: number, name: string) =>
      `${count} programs, and the group “${name}”, so that only one of them pays for a sale. Each can be changed later.`,
    create: (count: number) => `Create ${count} programs`,
    created: (count: number) => `${count} programs were created`,
    back: 'Choose another',
    newName: 'New program',
  },

  page: {
    edit: 'Edit',
    more: 'More',
    conversions: 'Conversions',
    tabs: 'Parts of this program',
    overview: 'Overview',
    collaborators: 'Collaborators',
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
    visits: 'Visits',
    sales: 'Sales',
    conversions: 'Conversions',
    revenue: 'Revenue',
    earned: 'Earned',
    chart: (currency: string) => `Revenue by day, in ${currency}`,
    thisPeriod: 'Last 30 days',
    before: '30 days before',
    top: 'Who earns here',
    topHelp: 'By what they earned in the last 30 days.',
    nobody: 'Nobody yet in these 30 days.',
  },

  status: {
    activate: 'Activate',
    deactivate: 'Deactivate',
    delete: 'Delete',
    activateTitle: (name: string) => `Activate “${name}”?`,
    activateHelp:
      'From now on visits and coupons touch it, and it pays for sales. What came in while it was not active stays unpaid.',
    deactivateTitle: (name: string) => `Deactivate “${name}”?`,
    deactivateHelp:
      'From now on nothing touches it and it pays for no sale. What was earned is approved and paid as before. You can activate it again.',
    deleteTitle: (name: string) => `Delete “${name}”?`,
    deleteHelp:
      'It pays nothing from now on, and can’t come back. What was earned is approved and paid as before; its versions and explanations stay.',
    deleteConfirm: 'Delete program',
    activated: 'It is active now',
    deactivated: 'It is switched off now',
    deleted: 'It is deleted',
  },
};
