import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTls } from 'node:tls';
import { after, before, describe, it } from 'node:test';
import { type SendEmail, startEmails } from '#platform/email/deliver.ts';
import { printer, smtpSender } from '#platform/email/send.ts';
import { consoleEmail, type Email, type EmailBrand, partnerEmail, WHENCE_BRAND } from '#platform/email/email.ts';
import type { OrganizationId } from '#core/ids.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { claimEmails, insertEmails } from '#platform/email/outgoing-emails.ts';
import { ensureFirstOrganization } from '#access/commands/found-organization.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { createDatabase, rowsReadBy } from '../../support/database.ts';
import { ENCRYPTION_KEY } from '../../support/encryption-key.ts';
import { startService } from '../../support/service.ts';

const LINK = { link: 'https://whence.example.com/#token', label: 'Log in' };
const MAIL: Email = { to: 'ada@mugs.example', ...consoleEmail('Grüße', 'Hello,', LINK) };
const MUGS: EmailBrand = { name: 'Ada’s Mugs', accent: '#0f766e', logoUrl: null, replyTo: 'help@mugs.example' };
const secrets = secretBox(Buffer.from(ENCRYPTION_KEY, 'hex'));

describe('the sender of outgoing mail', () => {
  let database: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const made = await createDatabase();
    drop = made.drop;
    database = openDatabase(made.url, { connections: 4, steadyPlans: true });
    await migrate(database);
    await ensureFirstOrganization(database, {});
  });
  after(async () => {
    await database.end();
    await drop();
  });

  const leave = (mail: Email, seconds = 60, box = secrets) =>
    insertEmails(
      { connection: database, organizationId: 1 as OrganizationId },
      [box.seal(JSON.stringify(mail))],
      seconds,
    );
  const waiting = async () =>
    (
      await database.query<{ tries: number; delay: number }>(
        'select tries, extract(epoch from due_at - now())::float8 as delay from outgoing_emails',
      )
    ).rows;
  /** Sends the waiting emails with `send`. Returns the message of each failure, and whether the email was discarded. */
  const sendAll = async (send: SendEmail): Promise<[string, boolean][]> => {
    const refused: [string, boolean][] = [];
    const emails = startEmails(database, {
      secrets,
      send,
      brandOf: () => Promise.resolve(MUGS),
      onRefused: (error, isOver) => refused.push([(error as Error).message, isOver]),
      onFailure: (error) => assert.fail(error as Error),
    });
    emails.wake();
    await emails.stop();
    return refused;
  };

  it('sends no email to a mail server whose certificate is not trusted', async () => {
    const pem = readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'receiver.pem'), 'utf8');
    const heard: string[] = [];
    const server = createTls({ key: pem, cert: pem }, (socket) => {
      socket.on('error', () => {}).on('data', (data) => heard.push(data.toString()));
      socket.write('220 mail.example\r\n');
    });
    server.on('tlsClientError', () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await assert.rejects(
      smtpSender(`smtps://localhost:${port}`, 'whence@mugs.example')(MAIL, WHENCE_BRAND),
      /certificate/,
    );
    assert.deepEqual(heard, []);
    server.close();
    await once(server, 'close');
  });

  it('sends each queued email exactly once if two senders run at once, and deletes it', async () => {
    for (let n = 0; n < 10; n += 1) await leave({ ...MAIL, subject: `${n}` });
    const sent: Email[] = [];
    const [one, other] = await Promise.all([1, 2].map(() => sendAll(async (mail) => void sent.push(mail))));
    assert.deepEqual([one, other], [[], []]);
    assert.deepEqual(new Set(sent.map(({ subject }) => subject)).size, 10);
    assert.deepEqual([sent.length, await waiting()], [10, []]);
  });

  it('claims the first email of an organization even if another organization has many emails waiting', async () => {
    const { rows } = await database.query<{ id: OrganizationId }>(
      "insert into organizations (name, opportunity_key) select 'Other', opportunity_key from organizations returning id",
    );
    for (let n = 0; n < 5; n += 1) await leave({ ...MAIL, subject: `flood ${n}` });
    await insertEmails(
      { connection: database, organizationId: rows[0]?.id as OrganizationId },
      [secrets.seal(JSON.stringify(MAIL))],
      60,
    );
    const claimed = await claimEmails(database, 2, 60);
    assert.deepEqual(new Set(claimed.map(({ organizationId }) => organizationId)), new Set([1, rows[0]?.id]));
    await database.query('delete from outgoing_emails');
  });

  it('reads a bounded number of rows for a claim, however many emails are waiting', async () => {
    await database.query(
      `insert into outgoing_emails (organization_id, message, expires_at, due_at)
       select 1, $1, now() + n * interval '1 minute', now() + (n % 2) * interval '1 day' - interval '1 minute'
       from generate_series(1, 10000) n`,
      [secrets.seal(JSON.stringify(MAIL))],
    );
    const read = await rowsReadBy(database, ['outgoing_emails'], (connection) => claimEmails(connection, 10, 60));
    assert.ok(read < 200, `${read} rows are read`);
    await database.query('delete from outgoing_emails');
  });

  it('retries an email that the mail server refused, with increasing delays of up to an hour', async () => {
    await leave(MAIL);
    for (const [tries, seconds] of [
      [1, 15],
      [2, 60],
      [3, 240],
      [4, 960],
      [5, 3_600],
      [6, 3_600],
    ] as const) {
      assert.deepEqual(await sendAll(() => Promise.reject(new Error('busy'))), [['busy', false]]);
      const [mail] = await waiting();
      assert.equal(mail?.tries, tries);
      assert.ok(mail.delay > seconds - 30 && mail.delay <= seconds, `${mail.delay}`);
      await database.query('update outgoing_emails set due_at = now()');
    }
    await database.query('delete from outgoing_emails');
  });

  it('discards an email that has expired or cannot be decrypted', async () => {
    await leave(MAIL, 0);
    assert.deepEqual(await sendAll(() => assert.fail('it is late')), [
      ['The email expired before it could be sent.', true],
    ]);
    await leave(MAIL, 60, secretBox(Buffer.alloc(32, 1)));
    const lost = await sendAll(() => assert.fail('it can’t be read'));
    assert.deepEqual(lost, [['The email can’t be sent, because it was encrypted with another key.', true]]);
    assert.deepEqual(await waiting(), []);
  });

  it('prints the email if no mail server is configured', async () => {
    const lines: string[] = [];
    await printer((...printed) => void lines.push(...printed))(MAIL, WHENCE_BRAND);
    assert.deepEqual(lines, [
      '',
      'Email to ada@mugs.example: Grüße',
      '',
      '  Hello,',
      '',
      '  https://whence.example.com/#token',
      '',
    ]);
  });
});

it('an email is sent through the server in SMTP_URL after a temporary refusal', async () => {
  const taken: string[] = [];
  let isBusy = true;
  const server = smtpServer((text) => {
    taken.push(text);
    const reply = isBusy ? '451 not now' : '250 taken';
    isBusy = false;
    return reply;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const service = await startService({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Mugs <mugs@mugs.example>' });
  try {
    const body = { email: 'ada@mugs.example', role: 'owner' };
    const made = await service.request('POST', '/v1/invitations', { key: service.secretKey, body });
    const link = `${(made.body as { url: string }).url.split('#')[0]}#`;
    await until(() => taken.length === 1);
    await until(async () => {
      await service.database.query('update outgoing_emails set due_at = now() where due_at > now() and tries = 1');
      return taken.length === 2;
    });
    const [, text = ''] = taken;
    assert.match(text, /^From: Mugs <mugs@mugs\.example>\r$/m);
    assert.match(text, /^To: ada@mugs\.example\r$/m);
    // Undo the quoted-printable encoding, which breaks long lines.
    assert.ok(text.replaceAll('=\r\n', '').replaceAll('=3D', '=').includes(link), text);
    await until(async () => (await service.database.query('select from outgoing_emails')).rows.length === 0);
    assert.ok(!service.printed.some((line) => line.includes(link)), 'the email is not also printed');
  } finally {
    await service.stop();
    server.close();
  }
});

it('an email to a partner has the merchant’s name and reply address, an HTML part and a plain part', async () => {
  const taken: string[] = [];
  const server = smtpServer((text) => {
    taken.push(text);
    return '250 taken';
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const send = smtpSender(`smtp://127.0.0.1:${port}`, 'Whence <whence@mail.example>');
  await send({ to: 'ada@mugs.example', ...partnerEmail('Welcome', 'Hello Ada,', LINK) }, MUGS);
  await send(MAIL, WHENCE_BRAND);
  const [toPartner = '', toPerson = ''] = taken;
  assert.match(toPartner, /^From: =\?UTF-8\?Q\?Ada=E2=80=99s_Mugs\?= <whence@mail\.example>\r$/m);
  assert.match(toPartner, /^Reply-To: help@mugs\.example\r$/m);
  assert.match(toPartner, /^Content-Type: text\/plain; charset=utf-8\r$/m);
  assert.match(toPartner, /^Content-Type: text\/html; charset=utf-8\r$/m);
  assert.match(toPerson, /^From: Whence <whence@mail\.example>\r$/m);
  assert.doesNotMatch(toPerson, /^Reply-To/m);
  server.close();
});

it('the SMTP sender times out if the mail server never responds', async () => {
  const silent = createServer((socket) => void socket.on('error', () => {}));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  await assert.rejects(smtpSender(`smtp://127.0.0.1:${port}`, 'mugs@mugs.example', 50)(MAIL, WHENCE_BRAND), {
    code: 'ETIMEDOUT',
  });
  silent.close();
});

/** Creates a minimal SMTP server without TLS and login. `onEmail` returns the reply to each message. */
function smtpServer(onEmail: (text: string) => string): Server {
  return createServer((socket: Socket) => {
    let received = '';
    let isText = false;
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    say('220 mail.example');
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received += bytes.toString();
      for (;;) {
        const end = received.indexOf(isText ? '\r\n.\r\n' : '\r\n');
        if (end === -1) return;
        const part = received.slice(0, end);
        received = received.slice(end + (isText ? 5 : 2));
        if (isText) say(onEmail(part));
        else if (/^QUIT/i.test(part)) socket.end('221 bye\r\n');
        else say(/^DATA/i.test(part) ? '354 go on' : '250 ok');
        isText = !isText && /^DATA/i.test(part);
      }
    });
  });
}

async function until(ask: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!(await ask())) {
    assert.ok(performance.now() < deadline, 'the condition is met in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
