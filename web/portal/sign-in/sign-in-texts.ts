import { placeOf } from '#web/ui/shell/place.ts';

/** Without a mail server, the service prints its emails, so only the merchant has the code. */
const { sendsMail } = placeOf(document);

export const signIn = {
  title: 'Log in',
  to: (portal: string) => `Log in to ${portal}`,
  description: sendsMail
    ? 'You need no password. We email you a link and a code.'
    : 'You need no password. The merchant gives you a code.',
  email: 'Email',
  submit: sendsMail ? 'Email me a link' : 'Request a code',
  or: 'or',
  passkey: 'Log in with a passkey',
  passkeyFailed: 'This passkey could not log you in. Try again, or log in with your address.',
  newHere: 'New here?',
  join: 'Join as a partner',
};
