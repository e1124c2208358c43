export const welcome = {
  title: 'Welcome',
  heading: 'Welcome to Whence',
  description: (organization: string) => `Make your account: you become the first owner of ${organization}.`,
  submit: 'Create account',
  void: 'This link has expired',
  voidDetail: 'It was used already, or the service has been started again since and has printed a newer one.',
  voidHelp: 'Look at the newest start in the service’s log, or make a link on its machine:',
  voidCommand: 'npm run whence -- person invite --role owner you@example.com',
  toSignIn: 'To the sign-in',
};
