import { placeOf } from '#web/ui/shell/place.ts';

/** The texts of the page that follows a request for an email, at sign-up and at login. */
const sent = {
  title: 'Check your email',
  signIn: (address: string) =>
    `If ${address} has an account, we sent it an email. Open its link, or enter its code here.`,
  signUp: (address: string) =>
    `We sent an email to ${address}. Open its link to confirm your address, or enter its code here.`,
  embedded: (address: string) => `We sent an email to ${address}. Enter its code here.`,
  code: 'Code from the email',
  codeHelp: 'Six letters and digits. It works once, for 15 minutes.',
  wrongCode: 'This code is wrong, used or expired. Use the newest email, or request another email.',
  submit: 'Log in',
  confirm: 'Confirm',
  hint: 'No email? Check your spam folder, or request another email.',
  again: 'Send it again',
  sentAgain: 'Sent again. Only the newest email works.',
  other: 'Use another address',
  tooOften: (minutes: number) =>
    minutes === 1
      ? 'Too many emails were sent. Try again in a minute.'
      : `Too many emails were sent. Try again in ${minutes} minutes.`,
};

const NOT_SENT = 'No email was sent, because no mail server is set up.';

/**
 * The texts that differ without a mail server. The service then prints its emails, so only the merchant has the code.
 */
const printed = {
  title: 'Enter your code',
  signIn: (address: string) => `${NOT_SENT} If ${address} has an account, ask the merchant for your code.`,
  signUp: (address: string) => `${NOT_SENT} Ask the merchant for the code for ${address}.`,
  embedded: (address: string) => `${NOT_SENT} Ask the merchant for the code for ${address}.`,
  code: 'Code from the merchant',
  wrongCode: 'This code is wrong, used or expired. Use the newest code, or request another code.',
  hint: undefined,
  again: 'Request another code',
  sentAgain: 'There is a new code. Only the newest code works.',
};

type MailedTexts = Omit<typeof sent, 'hint'> & { readonly hint: string | undefined };

export const mailed: MailedTexts = placeOf(document).sendsMail ? sent : { ...sent, ...printed };
