import { newPasskey } from '#test/support/authenticator.ts';
import { type Mailbox, openMailbox } from '#test/support/portal.ts';
import type { TestService } from '#test/support/service.ts';
import { Whence } from '#sdk/whence.ts';
import type { Authenticator } from './example.ts';

/** What examples of the portal take as given. */
export type PortalWorld = {
  /** Opens a portal under a slug that nobody has. */
  readonly open: (whence: Whence) => Promise<string>;
  /** The token of a link that was just mailed. */
  readonly linkFor: (slug: string, email: string) => Promise<string>;
  /** A client of whoever follows a link to the portal. */
  readonly enter: (slug: string, email: string) => Promise<Whence>;
  /** An authenticator that is in nobody's use yet. */
  readonly newAuthenticator: () => Authenticator;
};

/** One for each service: it keeps the mails. */
const mailboxes = new WeakMap<TestService, Promise<Mailbox>>();
let portals = 0;

export function portalWorld(service: TestService): PortalWorld {
  const baseUrl = service.url;
  // Whoever has logged in has a cookie and no key, and calls from a page of the service.
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
