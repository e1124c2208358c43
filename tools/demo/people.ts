import type { Whence } from '@whence/sdk';
import type { Printed } from './printed.ts';
import { MINUTE } from '#tools/traffic/story.ts';
import { visitorOf } from './visitor.ts';

/** The owner of the demo's organization. The password is public, because the data is invented. */
export const OWNER = { name: 'Daisy Demo', email: 'demo@example.com', password: 'teapots-for-everyone' } as const;
const MANAGER = { name: 'Toni Tealeaf', email: 'toni@example.com', password: 'oolong-and-biscuits' } as const;

/**
 * A function that runs work as a logged-in person, so that the audit log names that person. `at` is the time that the
 * demo's clock shows.
 */
export type As = (at: number, work: (whence: Whence) => Promise<void>) => Promise<void>;
export type People = { readonly asOwner: As; readonly asManager: As };

/**
 * Creates the first owner, with the link that the service has printed, and a manager. Returns functions that run work
 * as the owner and as the manager.
 */
export async function createDemoPeople(url: string, printed: Printed, at: number): Promise<People> {
  const visitor = visitorOf(url);
  const token = await printed.next(/\/console\/welcome#(\S+)/);
  await visitor.invitations.accept({ ...OWNER, token });
  const people = { asOwner: loggedIn(url, OWNER), asManager: loggedIn(url, MANAGER) };
  await people.asOwner(at, async (owner) => {
    const { url: link } = await owner.invitations.create({ email: MANAGER.email, role: 'manager' });
    const { name, password } = MANAGER;
    await visitor.invitations.accept({ name, password, token: new URL(link).hash.slice(1) });
  });
  return people;
}

/** Invites a viewer. The demo leaves the invitation open. */
export async function inviteViewer(owner: Whence): Promise<void> {
  await owner.invitations.create({ email: 'ledger@example.com', role: 'viewer' });
}

type LogIn = { readonly email: string; readonly password: string };

/**
 * How long the demo uses a login, in milliseconds of its own clock. For the service, a login is recent for 15 minutes.
 */
const LOGIN_LASTS_MS = 10 * MINUTE;

/** Returns a function that runs work as a logged-in person, after a new login if the previous login is too old. */
function loggedIn(url: string, who: LogIn): As {
  let person: Whence | undefined;
  let loggedInAt = 0;
  return async (at, work) => {
    if (person === undefined || at - loggedInAt > LOGIN_LASTS_MS) {
      person = await logIn(url, who);
      loggedInAt = at;
    }
    await work(person);
  };
}

async function logIn(url: string, { email, password }: LogIn): Promise<Whence> {
  const { headers } = await visitorOf(url).sessions.open({ email, password }).withResponse();
  return visitorOf(url, { cookie: headers.get('set-cookie')?.split(';')[0] });
}
