import assert from 'node:assert/strict';
import type { Email } from '#platform/email/email.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { ENCRYPTION_KEY } from './encryption-key.ts';
import type { Reply, TestService } from './service.ts';

export type Mailbox = {
  /** Returns all emails to an address, oldest first. */
  readonly mailsTo: (address: string) => Promise<Email[]>;
  /** Returns the token and the code of the newest login email to an address. Fails if there is none. */
  readonly entryOf: (address: string) => Promise<{ readonly token: string; readonly code: string }>;
};

/**
 * Opens a mailbox. It stores an encrypted copy of each queued email, because the service deletes emails after sending
 * them.
 */
export async function openMailbox({ database }: TestService): Promise<Mailbox> {
  await database.query(`
    create table if not exists kept_mails (id bigint generated always as identity, message bytea);
    create or replace function keep_mail() returns trigger language plpgsql as $$
    begin
      insert into kept_mails (message) values (new.message);
      return null;
    end $$;
    create or replace trigger mails_kept after insert on outgoing_emails for each row execute function keep_mail()`);
  const secrets = secretBox(Buffer.from(ENCRYPTION_KEY, 'hex'));
  const mailsTo = async (address: string): Promise<Email[]> => {
    const { rows } = await database.query<{ message: Buffer }>('select message from kept_mails order by id');
    return rows.map(({ message }) => JSON.parse(secrets.open(message)) as Email).filter(({ to }) => to === address);
  };
  return {
    mailsTo,
    entryOf: async (address) => {
      const texts = (await mailsTo(address)).map(({ text }) => text).filter((text) => text.includes('/enter#'));
      const text = texts.at(-1) ?? '';
      const [token, code] = [/\/enter#([\w-]{43})$/m.exec(text)?.[1], /^(\w{3}-\w{3})$/m.exec(text)?.[1]];
      assert.ok(token !== undefined && code !== undefined, `no link and code for ${address}: ${text}`);
      return { token, code };
    },
  };
}

export type Collaborator = {
  readonly call: (method: string, path: string, body?: unknown) => Promise<Reply>;
  /** Sends a call and asserts that it succeeds. */
  readonly must: <Body>(method: string, path: string, body?: unknown) => Promise<Body>;
  readonly cookie: string;
};

export type Portal = {
  readonly slug: string;
  readonly key: string;
  /** Sends a call to the portal without an API key, from a new network. */
  readonly visit: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;
  /** Logs in a collaborator with a link that is emailed to the given address. */
  readonly enter: (address: string) => Promise<Collaborator>;
};

/** Opens a portal for the organization that owns the key. */
export async function openPortal(service: TestService, mailbox: Mailbox, slug: string, key: string): Promise<Portal> {
  const landingUrl = `https://${slug}.example/`;
  const opened = await service.request('PATCH', '/v1/portal-settings', { key, body: { slug, landingUrl } });
  assert.equal(opened.status, 200, opened.text);
  const visit: Portal['visit'] = (method, path, body, headers = {}) =>
    service.request(method, `/v1/portals/${slug}${path}`, {
      body,
      headers: { 'x-forwarded-for': newNetwork(), ...headers },
    });
  return {
    slug,
    key,
    visit,
    enter: async (address) => {
      const asked = await visit('POST', '/links', { email: address });
      assert.equal(asked.status, 200, asked.text);
      const { token } = await mailbox.entryOf(address);
      return loggedInCollaborator(service, await visit('POST', '/sessions', { token }));
    },
  };
}

/** Returns the collaborator whose login got the given answer. Calls have the headers of the portal's pages. */
export function loggedInCollaborator(service: TestService, opened: Reply): Collaborator {
  assert.equal(opened.status, 201, opened.text);
  const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  assert.match(cookie, /^whence-portal=[\w-]{43}$/);
  const call: Collaborator['call'] = (method, path, body) =>
    service.request(method, path, { body, headers: { cookie, 'sec-fetch-site': 'same-origin' } });
  return {
    cookie,
    call,
    must: async (method, path, body) => {
      const reply = await call(method, path, body);
      assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
      return reply.body as never;
    },
  };
}

const NOTICE_MS = 1_000;

/** Asserts that the session ends within a second. The service caches a login for half a second. */
export async function assertEndsWithinASecond({ call }: Collaborator): Promise<void> {
  const deadline = performance.now() + NOTICE_MS;
  while ((await call('GET', '/v1/portal/session')).status !== 401) {
    assert.ok(performance.now() < deadline, 'the session ends within a second');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

let networks = 0;

/** Returns an IP address that no earlier call of this process returned. */
export function newNetwork(): string {
  networks += 1;
  return `10.${networks >> 16}.${(networks >> 8) & 255}.${networks & 255}`;
}
