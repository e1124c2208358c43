import { formatCount } from '#web/ui/formats/numbers.ts';

/** Texts about groups of programs, of which only one pays. */
export const groups = {
  title: 'Program groups',
  description: 'Of the programs in a group only one pays for a sale.',
  new: 'New group',
  explanation: {
    title: 'What a group does',
    words:
      'Without groups every program pays that the buyer was referred in: a link program and a coupon program both pay for one sale. Put them into a group, and only one of them does: the one that the buyer met last, or the one they met first. What can’t earn, such as a program whose window has passed, never shuts out another.',
  },
  list: {
    label: 'Program groups',
    row: (name: string) => `group ${name}`,
    name: 'Group',
    rule: 'Who pays',
    programs: 'Programs',
    updated: 'Changed',
    none: 'None yet',
    filters: { rule: 'Who pays', status: 'State' },
    statuses: [
      { value: 'active', label: 'Active' },
      { value: 'deleted', label: 'Deleted' },
    ],
    emptyTitle: 'No groups yet',
    empty: 'You need one as soon as two programs could pay for the same sale, and should not.',
  },
  rules: { newest: 'The newest touch', oldest: 'The oldest touch' } as Readonly<Record<string, string>>,
  ruleWords: {
    newest: ['The newest touch', 'The program that the buyer met last pays.'],
    oldest: ['The oldest touch', 'The program that the buyer met first pays.'],
  },
  count: (programs: number) => `${formatCount(programs)} ${programs === 1 ? 'program' : 'programs'}`,
  form: {
    newTitle: 'New group',
    editTitle: (name: string) => `Edit “${name}”`,
    name: 'Name',
    namePlaceholder: 'Coupon or link',
    rule: 'Which of its programs pays',
    programs: 'Programs',
    programsHelp: 'A program is in one group at most. Those that come or go get a new version.',
    create: 'Create group',
    save: 'Save group',
    created: (name: string) => `“${name}” was created`,
    saved: (name: string) => `“${name}” was saved`,
  },
  actions: {
    edit: 'Edit',
    delete: 'Delete',
    more: (name: string) => `Actions for ${name}`,
    deleteTitle: (name: string) => `Delete “${name}”?`,
    deleteHelp:
      'Its programs stay, and are in no group from now on: each of them pays for sales that come in then. Sales that were reported before are decided as they would have been.',
    deleteConfirm: 'Delete group',
    deleted: (name: string) => `“${name}” is deleted`,
  },
};
