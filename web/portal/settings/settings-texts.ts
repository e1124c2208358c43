import { placeOf } from '#web/ui/shell/place.ts';

/** Whether the service has a mail server. Without a mail server, the texts must not promise emails. */
const { sendsMail } = placeOf(document);

export const settings = {
  title: 'Settings',
  profile: {
    title: 'You',
    name: 'Name',
    nameHelp: (portal: string) => `${portal} sees this name. Other partners don’t see it.`,
    email: 'Email',
    emailHelp: (portal: string) => `You log in with it. ${portal} can change it for you.`,
    none: 'No email address. You stay logged in here. To be able to log in again, ask the merchant to add an address.',
    save: 'Save',
    saved: 'Your name is saved',
  },
  payout: {
    title: 'How you are paid',
    none: (portal: string) => `${portal} doesn’t know yet where to send your money.`,
    give: 'Add payout details',
    change: 'Change',
    remove: 'Remove …',
    removeTitle: 'Remove your payout details?',
    removeDetail: 'Your payout details are deleted permanently. You can’t be paid until you add new details.',
    removeConfirm: 'Remove details',
    removed: 'Your payout details are removed',
    saved: 'Your payout details are saved',
    savedDetail: sendsMail ? 'We email you about it, in case it wasn’t you.' : undefined,
    methodHelp: {
      iban: 'Europe and other countries with IBANs',
      uk: 'With a sort code',
      us: 'With a routing number',
      paypal: 'To your PayPal address',
      wise: 'To your Wise address',
      other: 'As agreed with the merchant',
    },
    accountHelp: {
      iban: undefined,
      uk: undefined,
      us: undefined,
      paypal: 'The email address of the account.',
      wise: 'The email address of the account.',
      other: 'The destination that you agreed on with the merchant, such as a wallet or a donation.',
    },
    bicHelp: 'The code of your bank. Some banks need it for transfers from other countries.',
    again: 'For your security, enter the full account again.',
    save: 'Save details',
    privacyTitle: 'Who sees this',
    privacy: (portal: string) => [
      `The people at ${portal} who pay you. Each access is recorded.`,
      'Your payout details are stored encrypted. Only the last characters of the account are shown here.',
      ...(sendsMail ? ['We email you about every change.'] : []),
    ],
  },
  tax: {
    help: (portal: string) =>
      `${portal} needs them for its tax reports. They are stored encrypted${sendsMail ? ', and we email you about every change' : ''}.`,
    asked: (portal: string) => `${portal} asks for your tax details.`,
    required: (portal: string) => `${portal} can’t pay you before you have entered your tax details.`,
    add: 'Add tax details',
  },
  emails: {
    title: 'Emails',
    description: (portal: string) =>
      sendsMail
        ? `The emails that you get from ${portal}. Login links and security notices are always sent.`
        : `The emails that you get from ${portal} once a mail server is set up. Until then, no email is sent.`,
    saved: 'Your choice is saved',
    kinds: {
      'first-click': 'Your first click',
      'first-sale': 'Your first commission',
      approved: 'Approved commissions, once a day',
      rejected: 'Rejected commissions, once a day',
      paid: 'Payouts',
      'payout-failed': 'Failed payments',
      'rate-changed': 'Changed rates',
      announcement: 'News for partners',
    },
  },
  passkeys: {
    description: 'Log in with your fingerprint, your face or a security key, without waiting for an email.',
    removeDetail: 'It can no longer be used to log in. You can still log in by email.',
    embedded: 'Add passkeys on the portal’s own page.',
    openOwn: 'Open it in a new tab',
  },
  sessions: {
    description: 'End sessions you don’t recognize, and notify the merchant.',
  },
  session: {
    title: 'This browser',
    detail: 'You stay logged in if you return within 7 days, at most until',
    signOut: 'Log out',
  },
};
