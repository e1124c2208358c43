export const reset = {
  title: 'New password',
  ask: {
    title: 'Forgot your password?',
    description: 'We email you a link to set a new one.',
    email: 'Email',
    submit: 'Email me a link',
    sent: 'Check your email',
    sentDetail: (email: string) => `If ${email} belongs to an account, a link is on its way. It is valid for an hour.`,
    notSent: 'No mail server is set up',
    notSentDetail: (email: string) =>
      `If ${email} belongs to an account, the service has printed a link to its output. It is valid for an hour.`,
  },
  set: {
    title: 'Set a new password',
    description: 'You are logged out everywhere else.',
    password: 'New password',
    passwordHelp: 'At least 10 characters. A few words are easy to remember and hard to guess.',
    submit: 'Set the password',
    done: 'Your password is changed',
    doneDetail: 'Log in with it now.',
  },
  void: 'This link has expired',
  voidDetail: 'It was already used, was replaced by a newer link, or is more than an hour old.',
  again: 'Request another link',
  toSignIn: 'Go to login',
};
