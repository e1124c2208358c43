export const invitation = {
  title: 'Invitation',
  heading: (organization: string) => `Join ${organization}`,
  roles: {
    owner: 'You are invited as an owner: you may do everything.',
    manager: 'You are invited as a manager: you may do all but keys, the organization’s settings and people.',
    viewer: 'You are invited as a viewer: you may look at everything and change nothing.',
  } as Readonly<Record<string, string>>,
  name: 'Your name',
  email: 'Email',
  emailHelp: 'You sign in with it.',
  password: 'Password',
  passwordHelp: 'At least 10 characters. A few words are easy to remember and hard to guess.',
  submit: 'Join',
  void: 'This invitation has expired',
  voidDetail:
    'It was accepted already, was revoked, or is more than seven days old. Ask whoever invited you for a new one.',
  toSignIn: 'To the sign-in',
};
