import { formatCount } from '#web/ui/formats/numbers.ts';

export const invitations = {
  title: 'Invitation links',
  help: 'Partners who sign up with an invitation link join this program without your approval, even if it is closed to sign-ups.',
  none: 'There are no invitation links for this program yet.',
  make: 'New invitation link',
  note: 'Note',
  noteHelp: 'Only your team sees it.',
  tags: 'Tags',
  tagsHelp: 'Partners who join get these tags. Separate tags with commas.',
  customRate: 'Custom rate',
  customRateHelp: 'Partners who join with the link get this rate instead of the program’s rate.',
  maxUses: 'Maximum number of partners',
  expires: 'Last day',
  expiresHelp: 'If you leave it empty, the link doesn’t expire.',
  submit: 'Create link',
  made: 'The link is created',
  link: (id: number) => `Link ${id}`,
  statuses: { open: 'Active', 'used-up': 'Used up', expired: 'Expired', revoked: 'Revoked', blocked: 'Blocked' },
  joined: (uses: number, most: number | null) =>
    most === null ? `${formatCount(uses)} joined` : `${formatCount(uses)} of ${formatCount(most)} joined`,
  until: 'until',
  blocked:
    'The custom rate can’t be applied: there are too many custom rates, or the program now pays another kind of event.',
  noPortal: 'The portal is closed, so nobody can use the link.',
  revoke: 'Revoke …',
  revokeTitle: 'Revoke this link?',
  revokeHelp: 'Nobody can join with it afterwards. Partners who joined with it stay.',
  revokeConfirm: 'Revoke link',
  revoked: 'The link is revoked',
  older: 'Show older links',
};
