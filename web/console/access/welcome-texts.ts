export const welcome = {
  title: 'Welcome',
  heading: 'Welcome to Whence',
  description: (organization: string) => `Create your account to become the first owner of ${organization}.`,
  submit: 'Create account',
  void: 'This link has expired',
  voidDetail: 'It was already used, or the service was restarted and printed a newer link.',
  voidHelp: 'Use the newest link in the service’s log, or create a link on the server:',
  voidCommand: 'npm run whence -- person invite --role owner you@example.com',
  toSignIn: 'Go to login',
};
