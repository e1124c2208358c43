export const invitation = {
  title: 'Invitation',
  heading: (organization: string) => `Join ${organization}`,
  roles: {
    owner: 'You are invited as an owner. Owners can do everything.',
    manager: 'You are invited as a manager. Managers can change everything except keys, settings and people.',
    viewer: 'You are invited as a viewer. Viewers can see everything and change nothing.',
  } as Readonly<Record<string, string>>,
  name: 'Your name',
  email: 'Email',
  emailHelp: 'You log in with it.',
  password: 'Password',
  passwordHelp: 'At least 10 characters. A few words are easy to remember and hard to guess.',
  submit: 'Join',
  void: 'This invitation has expired',
  voidDetail: 'It was accepted, revoked or replaced, or is more than seven days old. Ask for a new invitation.',
  toSignIn: 'Go to login',
};
