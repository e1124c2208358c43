import { formatCount } from '#web/ui/formats/numbers.ts';

export const groups = {
  title: 'Program groups',
  description: 'Only one program of a group pays for each sale.',
  new: 'New group',
  explanation: {
    title: 'What a group does',
    words:
      'Without a group, each program in which the buyer was referred pays, so a link program and a coupon program can both pay for one sale. In a group, only one program pays: the program with the newest touch or with the oldest touch. A program that can’t pay, for example because its window has passed, never prevents another program from paying.',
  },
  list: {
    label: 'Program groups',
    row: (name: string) => `group ${name}`,
    name: 'Group',
    rule: 'Who pays',
    programs: 'Programs',
    updated: 'Changed',
    none: 'None yet',
    filters: { rule: 'Who pays', status: 'Status' },
    statuses: [
      { value: 'active', label: 'Active' },
      { value: 'deleted', label: 'Deleted' },
    ],
    emptyTitle: 'No groups yet',
    empty: 'Create a group if two programs could pay for the same sale, but only one should.',
  },
  rules: { newest: 'The newest touch', oldest: 'The oldest touch' } as Readonly<Record<string, string>>,
  ruleWords: {
    newest: ['The newest touch', 'The program with the newest touch pays.'],
    oldest: ['The oldest touch', 'The program with the oldest touch pays.'],
  },
  count: (programs: number) => `${formatCount(programs)} ${programs === 1 ? 'program' : 'programs'}`,
  form: {
    newTitle: 'New group',
    editTitle: (name: string) => `Edit “${name}”`,
    name: 'Name',
    namePlaceholder: 'Coupon or link',
    rule: 'Which of its programs pays',
    programs: 'Programs',
    programsHelp: 'A program is in one group at most. Added and removed programs get a new version.',
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
      'The programs of the group stay and no longer share a group, so each of them pays for new sales. Sales reported earlier are not affected.',
    deleteConfirm: 'Delete group',
    deleted: (name: string) => `“${name}” is deleted`,
  },
};
