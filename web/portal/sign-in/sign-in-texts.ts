export const signIn = {
  title: 'Sign in',
  to: (portal: string) => `Sign in to ${portal}`,
  description: 'You need no password: we send you a mail with a link and a code.',
  email: 'Email',
  submit: 'Mail me a link',
  or: 'or',
  passkey: 'Sign in with a passkey',
  passkeyFailed: 'This passkey could not sign you in. Try again, or let us send you a mail.',
  newHere: 'New here?',
  join: 'Join as a partner',
};
