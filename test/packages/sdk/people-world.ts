import { generate } from 'otplib';
import { Whence } from '#sdk/whence.ts';
import { cookieIn, PASSWORD, tokenIn } from '../../support/people.ts';
import { openMailbox } from '../../support/portal.ts';
import type { TestService } from '../../support/service.ts';

/** Resources for examples about people and their accounts. */
export type PeopleWorld = {
  /** Returns an unused email address. */
  readonly newEmail: () => string;
  /** Invites an owner to the organization, and returns the token of the invitation link. */
  readonly inviteBy: (whence: Whence) => Promise<string>;
  /** Adds an owner to the organization. Returns the owner's id, email address and logged-in client. */
  readonly join: (whence: Whence) => Promise<Joined>;
  /** Requests a password reset, and returns the token of the emailed link. */
  readonly resetFor: (email: string) => Promise<string>;
  /** A client without a session. */
  readonly page: Whence;
};
export type Joined = { readonly id: number; readonly email: string; readonly page: Whence };

/** Returns the code that an authenticator app currently shows for a secret. */
export const codeOf = (secret: string): Promise<string> => generate({ secret });

let people = 0;
/** One mailbox per service, because the mailbox stores all emails of the service. */
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
      const mail = (await mailbox.mailsTo(email)).at(-1);
      return tokenIn(/\S+\/console\/reset#\S+/.exec(mail?.text ?? '')?.[0] ?? '');
    },
    page: page(),
  };
}
