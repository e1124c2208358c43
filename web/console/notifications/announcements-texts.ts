import { formatCount } from '#web/ui/formats/numbers.ts';

const partners = (count: number): string => `${formatCount(count)} ${count === 1 ? 'partner' : 'partners'}`;

export const announcements = {
  title: 'Write to partners',
  breadcrumb: 'Partners',
  description: 'An email with your portal’s name, logo and color. Each partner can unsubscribe.',
  printed:
    'No mail server is set, so announcements are not sent. They are printed to the service’s output. Set SMTP_URL to send them.',
  closed: 'Partners get announcements only while the portal is open.',
  openPortal: 'Open the portal',
  new: 'New announcement',
  program: 'Program',
  programHelp: 'Only partners who can earn in it. Empty: all active partners.',
  tag: 'Tag',
  tagHelp: 'Only partners with this tag.',
  subject: 'Subject',
  text: 'Text',
  textHelp: 'Web addresses become links. A blank line starts a new paragraph.',
  test: 'Send a test to yourself',
  tested: 'The test is on its way to you',
  testPrinted: 'The test is printed to the service’s output',
  nobody: 'No active partner with an email address matches.',
  send: (count: number) => `Send to ${partners(count)}`,
  confirmTitle: (count: number) => `Send to ${partners(count)}?`,
  confirmHelp: 'An announcement can’t be changed or taken back.',
  sent: (count: number) => `The announcement is sent to ${partners(count)}`,
  sentPrinted: (count: number) => `The announcement to ${partners(count)} is printed to the service’s output`,
  past: 'Sent announcements',
  none: 'No announcements yet.',
  to: (count: number) => `To ${partners(count)}`,
  by: 'by',
  older: 'Show older announcements',
} as const;
