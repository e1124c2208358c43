import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openCaller } from '../../support/caller.ts';
import { createDatabase } from '../../support/database.ts';
import { type ServiceProcess, startProcess } from '../../support/process.ts';
import { exchange } from '../../support/raw-http.ts';
import { openDatabase } from '#platform/postgres/database.ts';

const SECRET_KEY = `sk_live_${'k3ptS3cret'.repeat(5)}`;
const PUBLISHABLE_KEY = `pk_live_${'k3ptPubl1c'.repeat(5)}`;
/** Values that the requests contain and the log must not contain. */
const PRIVATE = {
  key: 'k3ptS3cret',
  publishable: 'k3ptPubl1c',
  wrongKey: 'n0b0dysK3y',
  password: 'seven-quiet-herons',
  token: `t0kenOfAL1nk${'x'.repeat(31)}`,
  cookie: `c00kieOfS0mebody${'x'.repeat(27)}`,
  address: 'grace.hopper@private.example',
  name: 'Grace-Brewster-Hopper',
  userId: '4815162342',
  iban: 'DE89370400440532013000',
  network: '198.51.100.77',
};

describe('the log at level trace', () => {
  let service: ServiceProcess;
  let lines: () => string[];
  let drop: () => Promise<void>;
  before(async () => {
    const own = await createDatabase();
    service = await startProcess({
      DATABASE_URL: own.url,
      LOG_LEVEL: 'trace',
      WHENCE_SECRET_KEY: SECRET_KEY,
      WHENCE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
      TRUSTED_PROXIES: 'loopback',
    });
    lines = () => service.printed().split('\n');
    drop = own.drop;
    await sendRequests(own.url);
  });
  after(async () => {
    service.signal('SIGTERM');
    await service.exited;
    await drop();
  });

  async function sendRequests(databaseUrl: string): Promise<void> {
    const caller = openCaller(service.url);
    const headers = { 'x-forwarded-for': PRIVATE.network };
    const post = (path: string, body: object, key?: string, more = {}) =>
      caller.send('POST', path, { key, body, headers: { ...headers, ...more } });
    const { address: email, name, password, token, userId } = PRIVATE;
    await post('/v1/collaborators', { name, email, userId }, SECRET_KEY);
    await caller.send('GET', `/v1/collaborators?q=${name}&userId=${userId}`, { key: SECRET_KEY, headers });
    await post('/v1/collaborators', { name, email, unknown: PRIVATE.iban, status: PRIVATE.iban }, SECRET_KEY);
    await post('/v1/visits', { alias: name, userId }, PUBLISHABLE_KEY);
    await post('/v1/collaborators', { name }, `sk_live_${PRIVATE.wrongKey.repeat(5)}`);
    await post('/v1/sessions', { email, password });
    await post('/v1/invitations/accept', { token: token.slice(0, 43), name, password });
    await post('/v1/password-resets', { email });
    const cookie = `whence=${PRIVATE.cookie.slice(0, 43)}`;
    await caller.send('GET', '/v1/session', { headers: { ...headers, cookie, 'sec-fetch-site': 'same-origin' } });
    // Make an operation fail, because the log then contains the error of its SQL statement.
    const database = openDatabase(databaseUrl, { connections: 1 });
    await database.query('alter table collaborators add check (name is null) not valid');
    const failed = await post('/v1/collaborators', { name, email, userId }, SECRET_KEY);
    assert.equal(failed.status, 500);
    await database.end();
    const injected = 'x%0a%7b%22level%22%3a%22fatal%22,INJECTED%7d%1b[2J';
    await exchange(service.url, `GET /v1/${injected} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await caller.send('GET', `/v1/sales/${injected}`, { key: SECRET_KEY });
    caller.leave();
  }

  it('no JSON line of the log has a key, password, token, name or address', () => {
    const said = lines();
    const objects = said.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as { msg: string });
    const messages = new Set(objects.map(({ msg }) => msg));
    for (const message of ['request', 'refused', 'an operation failed']) assert.ok(messages.has(message), message);
    for (const [what, text] of Object.entries(PRIVATE))
      assert.deepEqual(
        // Plain lines, such as emails printed without a mail server, are meant for the operator. Only log entries are
        // checked.
        said.filter((line) => line.startsWith('{') && line.includes(text)),
        [],
        what,
      );
  });

  it('each JSON line of the log has the time in UTC with milliseconds and the level', () => {
    const said = lines().filter((line) => line.startsWith('{'));
    assert.ok(said.length > 5);
    for (const line of said) {
      const { time, level } = JSON.parse(line) as { time: string; level: string };
      assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.match(level, /^(trace|debug|info|warn|error|fatal)$/);
    }
  });

  it('the log keeps each entry on one line of JSON, even with control characters', () => {
    const injected = lines().filter((line) => line.includes('INJECTED'));
    assert.ok(injected.length > 0);
    for (const line of injected) {
      const { level, path } = JSON.parse(line) as { level: string; path: string };
      assert.equal(level, 'debug');
      assert.match(path, /^\/v1\//);
    }
    assert.ok(!service.printed().includes('\u001b'));
  });
});
