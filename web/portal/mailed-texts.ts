/** Texts after an email was requested: at sign-up, at login, and for an expired link. */
export const mailed = {
  title: 'Check your mail',
  signIn: (address: string) =>
    `If ${address} is known here, a mail is on its way to it. Open the link in it, or type its code here.`,
  signUp: (address: string) =>
    `A mail is on its way to ${address}. Open the link in it to confirm your address, or type its code here.`,
  embedded: (address: string) =>
    `A mail is on its way to ${address}, if it can be reached. Type the code from it here.`,
  code: 'Code from the mail',
  codeHelp: 'Six letters and digits. It is good for 15 minutes, and once.',
  wrongCode: 'This code is not right, was used, or is too old. Look for the newest mail, or ask for another.',
  submit: 'Sign in',
  confirm: 'Confirm and go on',
  nothingCame: 'Nothing came? Look into the folder for spam, or ask for another.',
  again: 'Send it again',
  sentAgain: 'Sent again. The newest mail counts.',
  other: 'Use another address',
  tooOften: (minutes: number) =>
    minutes === 1
      ? 'Several mails went there already. Try again in a minute.'
      : `Several mails went there already. Try again in ${minutes} minutes.`,
};
