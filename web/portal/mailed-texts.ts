/** The texts of the page that follows a request for an email, at sign-up and at login. */
export const mailed = {
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
  unsent: 'No email is sent, because no mail server is set up. Ask the merchant for your code.',
  nothingCame: 'No email? Check your spam folder, or request another email.',
  again: 'Send it again',
  sentAgain: 'Sent again. Only the newest email works.',
  other: 'Use another address',
  tooOften: (minutes: number) =>
    minutes === 1
      ? 'Too many emails were sent. Try again in a minute.'
      : `Too many emails were sent. Try again in ${minutes} minutes.`,
};
