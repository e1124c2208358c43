import { generate } from 'otplib';
import { Whence } from '#sdk/whence.ts';
import { cookieIn, PASSWORD, tokenIn } from '#test/support/people.ts';
import { openMailbox } from '#test/support/portal.ts';
import type { TestService } from '#test/support/service.ts';

/** What examples of people and their accounts take as given. */
export type PeopleWorld = {
  /** An address that nobody has. */
  readonly newEmail: () => string;
  /** The token of a new invitation's link. */
  readonly inviteBy: (whence: Whence) => Promise<string>;
  /** A new person of the organization, and a page that they have logged in to. */
  readonly join: (whence: Whence) => Promise<Joined>;
  /** The token of a link to a new password that was just mailed. */
  readonly resetFor: (email: string) => Promise<string>;
  /** A page that nobody has logged in to. */
  readonly page: Whence;
};
export type Joined = { readonly id: number; readonly email: string; readonly page: Whence };

/** What an app of somebody shows for its secret. */
export const codeOf = (secret: string): Promise<string> => generate({ secret });

let people = 0;
/** One for each service: it keeps the mails. */
const mailboxes = new WeakMap<TestService, ReturnType<typeof openMailbox>>();

export function peopleWorld(service: TestService): PeopleWorld {
  const page = (cookie = ''): Whence => {
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    return new Whence({ baseUrl: service.url, apiKey: undefined, session: true, headers });
  };
  const newEmail = (): string => {
    people += 1;
    return `grace-${people}@example.com`;
  };
  const inviteBy = async (whence: Whence): Promise<string> =>
    tokenIn((await whence.invitations.create({ email: newEmail(), role: 'owner' })).url);
  return {
    newEmail,
    inviteBy,
    join: async (whence) => {
      const token = await inviteBy(whence);
      const accepting = page().invitations.accept({ token, name: 'Grace Hopper', password: PASSWORD });
      const { data, headers } = await accepting.withResponse();
      const { id, email } = data.person;
      return { id, email, page: page(cookieIn({ headers } as Parameters<typeof cookieIn>[0])) };
    },
    resetFor: async (email) => {
      const opening = mailboxes.get(service) ?? openMailbox(service);
      mailboxes.set(service, opening);
      const mailbox = await opening;
      await page().passwordResets.request({ email });
      const [mail] = await mailbox.mailsTo(email);
      return tokenIn(/\S+\/console\/reset#\S+/.exec(mail?.text ?? '')?.[0] ?? '');
    },
    page: page(),
  };
}
