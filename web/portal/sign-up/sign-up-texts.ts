import { formatCount } from '#web/ui/formats/numbers.ts';

export const signUp = {
  title: 'Join',
  choose: (portal: string) => `Partner with ${portal}`,
  chooseDescription: 'Choose the program that fits you. You can join others later.',
  closedTitle: 'Nobody can sign up here right now',
  closed: (portal: string) => `${portal} lets in new partners by invitation. If you are one already, sign in.`,
  gone: 'This program takes nobody in any more. Here are those that do.',
  signIn: 'Sign in',
  already: 'A partner already?',
  back: 'Back to the overview',
  see: (program: string) => `See ${program}`,
  otherPrograms: (count: number) =>
    count === 1 ? 'See the other program' : `See all ${formatCount(count + 1)} programs`,
  earn: 'What you earn',
  rules: 'All the rules',
  form: 'Your application',
  name: 'Your name',
  nameHelp: 'Or that of your business, site or channel.',
  email: 'Email',
  emailHelp: 'You sign in with it. We never show it to other partners.',
  answer: 'Your answer',
  code: 'Your code',
  codeHelp:
    'Part of your link, such as “ada” in ?ref=ada. Without it we make one of your name; where it is taken a number follows.',
  terms: 'By going on you agree to the',
  termsLink: (portal: string) => `terms of ${portal}`,
  apply: 'Apply',
  join: 'Join',
  next: 'What happens next',
  steps: {
    mail: 'We mail you a link. It confirms your address and signs you in; nothing is kept before that.',
    approval: (portal: string) => `${portal} looks at your application. You can look around meanwhile.`,
    earn: 'You get your own link. From the first sale by it on you see here what you earn, and why.',
  },
  mode: {
    approval: (portal: string) => `${portal} lets partners in by hand`,
    open: 'You can begin at once',
  },
};
