export const emails = {
  title: 'Emails to partners',
  settings: 'Settings',
  description: 'The emails that partners get, with your portal’s name, logo and color.',
  printed:
    'No mail server is set, so emails are not sent. They are printed to the service’s output. Set SMTP_URL to send them.',
  closed: 'Partners get no emails about their commissions while the portal is closed.',
  openPortal: 'Open the portal',
  saved: 'The emails are saved',
  kindsTitle: 'Sent automatically',
  kindsHelp:
    'Emails to partners have an unsubscribe link. When you turn a kind on, partners get no emails about earlier events.',
  kinds: {
    'application-rejected': {
      label: 'Rejected applications',
      description: 'When you reject an applicant, with your reason if you give one.',
    },
    'first-click': { label: 'First click', description: 'When a new partner’s link is clicked for the first time.' },
    'first-sale': { label: 'First commission', description: 'When a partner earns for the first time.' },
    approved: { label: 'Approved commissions', description: 'The number and the sum, at most once a day.' },
    rejected: { label: 'Rejected commissions', description: 'With your reasons, at most once a day.' },
    paid: { label: 'Payouts', description: 'When a payout is marked as paid, with a link to the statement.' },
    'payout-failed': {
      label: 'Failed payments',
      description: 'With your reason, so that the partner can correct the payout details.',
    },
    'rate-changed': {
      label: 'Changed rates',
      description: 'When a program’s reward or a partner’s custom rate changes.',
    },
  },
  alwaysTitle: 'Always sent',
  always:
    'Login links, sign-up confirmations, invitations, accepted applications, moved codes, and security notices such as changed payout details.',
} as const;
