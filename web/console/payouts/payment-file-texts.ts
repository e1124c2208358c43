import { payouts } from './payouts-texts.ts';

export const paymentFiles = {
  button: 'Payment files',
  title: 'Payment files',
  description:
    'Download the files for your bank and payment services. They contain account numbers, and each download is recorded in the audit log.',
  test: 'Not for a bank',
  testHelp: 'This is a test organization. The name of each file says so.',
  paid: 'Already marked as paid',
  paidHelp: 'Download a file only to pay payouts that you haven’t paid yet. Otherwise partners are paid twice.',
  notDownloaded: (count: number, labels: readonly string[]) =>
    `${payouts.some(count)} ${count === 1 ? 'is' : 'are'} in payment files that were never downloaded: ${labels.join(', ')}. Downloads of “All accounts” don’t count.`,
  formats: {
    sepa: { label: 'SEPA credit transfer', help: 'An XML file for your bank (pain.001.001.09)' },
    paypal: { label: 'PayPal', help: 'A CSV file for PayPal Payouts' },
    wise: { label: 'Wise', help: 'A CSV file for batch payments by email' },
    other: { label: 'Other accounts', help: 'A CSV file with the payouts that are in none of the files above' },
    all: {
      label: 'All accounts',
      help: 'A CSV file with all payouts, for entering payments by hand. Pay each partner only once',
    },
  },
  part: (label: string, part: number, parts: number) => (parts === 1 ? label : `${label}, ${part} of ${parts}`),
  download: 'Download',
  downloadOf: (label: string) => `Download ${label}`,
  downloaded: (label: string) => `${label}: file downloaded`,
  some: payouts.some,
  nothing: 'No payout can be paid now',
  nothingHelp: 'All payouts are paid, in review, or to partners without payout details or required tax details.',
  leftOut: (count: number) => `${payouts.some(count)} not in a bank or service file`,
  reasons: {
    'under-review': 'In review. Not in any file',
    'no-tax-details': 'No tax details yet, and your settings require them. Not in any file',
    'no-details': 'No payout details yet. Not in any file',
    'in-another-file': 'New payout method since you downloaded the file with this payout. Not in any other file',
    'other-method': 'The payout method has no file of its own. Included in “Other accounts”',
    'unsupported-currency': 'The payout method doesn’t support this currency. Included in “Other accounts”',
    'unsupported-account': 'The account is outside SEPA. Included in “Other accounts”',
    'unsupported-name': 'The name has letters that banks don’t accept. Included in “Other accounts”',
    'unsupported-amount': 'The amount is too large for SEPA. Included in “Other accounts”',
  },
  noAccount: 'Set your bank account',
  noAccountHelp: 'The SEPA file needs the account from which you pay.',
  setAccount: 'Set account',
  readOnly: 'Your role can’t download these files.',
};

export const payerAccountTexts = {
  settings: 'Settings',
  title: 'Payouts',
  description: 'How you pay your partners.',
  account: 'Your bank account',
  accountHelp: 'SEPA files use it as the account to pay from. It is stored encrypted.',
  current: 'Current account',
  holder: 'Account holder',
  holderHelp: 'In Latin letters, as your bank knows it.',
  iban: 'IBAN',
  again: 'To change the account, enter the whole IBAN.',
  bic: 'BIC',
  bicHelp: 'Only if your bank asks for it.',
  save: 'Save',
  saved: 'The bank account is saved',
};
