import { newPasskey } from '../../support/authenticator.ts';
import { type Mailbox, openMailbox } from '../../support/portal.ts';
import type { TestService } from '../../support/service.ts';
import { Whence } from '#sdk/whence.ts';
import type { Authenticator } from './example.ts';

/** Resources for examples about the portal. */
export type PortalWorld = {
  /** Opens the organization's portal with an unused slug, and returns the slug. */
  readonly open: (whence: Whence) => Promise<string>;
  /** Requests a login link, and returns the token of the emailed link. */
  readonly linkFor: (slug: string, email: string) => Promise<string>;
  /** Logs a collaborator in with an emailed login link, and returns the logged-in client. */
  readonly enter: (slug: string, email: string) => Promise<Whence>;
  /** Returns an authenticator without passkeys. */
  readonly newAuthenticator: () => Authenticator;
};

/** One mailbox per service, because the mailbox stores all emails of the service. */
const mailboxes = new WeakMap<TestService, Promise<Mailbox>>();
let portals = 0;

export function portalWorld(service: TestService): PortalWorld {
  const baseUrl = service.url;
  // Returns the client of a portal page. The client sends no key. `cookie` is the session cookie of a logged-in
  // collaborator.
  const page = (cookie = ''): Whence => {
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    return new Whence({ baseUrl, apiKey: undefined, session: true, headers });
  };
  const linkFor: PortalWorld['linkFor'] = async (slug, email) => {
    const opening = mailboxes.get(service) ?? openMailbox(service);
    mailboxes.set(service, opening);
    const mailbox = await opening;
    await page().portals.requestLink(slug, { email });
    return (await mailbox.entryOf(email)).token;
  };
  return {
    open: async (whence) => {
      portals += 1;
      const slug = `portal-${portals}`;
      await whence.portalSettings.update({ slug, landingUrl: 'https://shop.example/' });
      return slug;
    },
    linkFor,
    enter: async (slug, email) => {
      const { headers } = await page()
        .portals.openSession(slug, { token: await linkFor(slug, email) })
        .withResponse();
      return page((headers.get('set-cookie') ?? '').split(';')[0]);
    },
    newAuthenticator: () => newPasskey(baseUrl.replace('127.0.0.1', 'localhost')) as unknown as Authenticator,
  };
}
