export const digest = {
  title: 'Summary by email',
  description: (timeZone: string) =>
    `Counts the applications, commissions, payouts and failures that wait for your team, with a link to each. Sent at 7:00 (${timeZone}) if something waits.`,
  frequency: 'Send the summary',
  frequencies: { never: 'Never', daily: 'Every day', weekly: 'Every Monday' },
  saved: 'The summary is saved',
  printed: 'No mail server is set, so no summary is sent.',
  unconfirmed: 'The summary is sent once your address is confirmed.',
  confirm: 'Send a confirmation email',
  queued: 'Open the link in the email to confirm your address',
} as const;
