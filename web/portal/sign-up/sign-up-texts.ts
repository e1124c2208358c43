import { formatCount } from '#web/ui/formats/numbers.ts';
import { placeOf } from '#web/ui/shell/place.ts';

export const signUp = {
  title: 'Join',
  choose: (portal: string) => `Partner with ${portal}`,
  chooseDescription: 'Choose the program that fits you. You can join others later.',
  closedTitle: 'Sign-up is closed',
  closed: (portal: string) =>
    `${portal} accepts new partners by invitation only. If you are already a partner, log in.`,
  gone: 'This program no longer accepts partners. These programs do.',
  signIn: 'Log in',
  already: 'Already a partner?',
  back: 'Back to the overview',
  see: (program: string) => `See ${program}`,
  otherPrograms: (count: number) =>
    count === 1 ? 'See the other program' : `See all ${formatCount(count + 1)} programs`,
  invitation: {
    title: (portal: string) => `${portal} invites you`,
    detail: 'You don’t need an approval: you are a partner as soon as you confirm your address.',
    unusable: 'This invitation can’t be used',
    unusableHelp: 'It has expired, was revoked, or was used up. Ask the merchant for another link.',
    others: 'See open programs',
  },
  earn: 'What you earn',
  rules: 'All the rules',
  form: 'Your application',
  name: 'Your name',
  nameHelp: 'Or the name of your business, site or channel.',
  email: 'Email',
  emailHelp: 'You log in with it. We never show it to other partners.',
  noAnswer: 'No answer',
  urlExample: 'https://example.com',
  optional: (label: string) => `${label} (optional)`,
  code: 'Your code',
  codeHelp:
    'Part of your link, such as “ada” in ?ref=ada. If you leave it empty, we use your name, with a number if it is taken.',
  terms: 'By continuing you agree to the',
  termsLink: (portal: string) => `terms of ${portal}`,
  apply: 'Apply',
  join: 'Join',
  next: 'What happens next',
  steps: {
    mail: placeOf(document).sendsMail
      ? 'We email you a link that confirms your address and logs you in. Nothing is stored before that.'
      : 'The merchant gives you a code that confirms your address and logs you in. Nothing is stored before that.',
    approval: (portal: string) => `${portal} reviews your application. You can look around in the meantime.`,
    earn: 'You get your own link. After its first sale, the portal shows what you earn, and why.',
  },
  mode: {
    approval: (portal: string) => `${portal} approves partners individually`,
    open: 'You can start right away',
  },
};
