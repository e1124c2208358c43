export const signIn = {
  title: 'Log in',
  to: (portal: string) => `Log in to ${portal}`,
  description: 'You need no password. We email you a link and a code.',
  email: 'Email',
  submit: 'Email me a link',
  or: 'or',
  passkey: 'Log in with a passkey',
  passkeyFailed: 'This passkey could not log you in. Try again, or request an email.',
  newHere: 'New here?',
  join: 'Join as a partner',
};
