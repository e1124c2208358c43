import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCommand } from '#test/support/process.ts';
import { startService, type TestService } from '#test/support/service.ts';

const { version, scripts } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
) as { version: string; scripts: Readonly<Record<string, string>> };

describe('the command line', () => {
  let service: TestService;
  let folder: string;
  before(async () => {
    service = await startService();
    folder = mkdtempSync(join(tmpdir(), 'whence-command-line-'));
  });
  after(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  const run = (...args: readonly string[]) => runCommand(args, { DATABASE_URL: service.databaseUrl });
  const runElsewhere = (settings: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    runCommand(args, settings);

  it('prints its version', async () => {
    assert.deepEqual(await run('--version'), { code: 0, printed: `${version}\n` });
  });

  it('runs scripts/bootstrap.mjs first, like npm start', () => {
    for (const script of [scripts['prewhence'], scripts['prestart']])
      assert.match(script ?? '', /^node scripts\/bootstrap\.mjs\b/);
  });

  for (const [args, says] of [
    [['key', 'create', '--organization', 'mugs'], /positive integer/],
    [['key', 'create', '--organization', '99'], /There is no organization 99/],
    [['key', 'create', '--kind', 'mug'], /Allowed choices are secret, publishable/],
    [['key', 'create', '--label', ''], /1 to 255 characters/],
    [['key', 'list', '--organization', '0'], /positive integer/],
    [['key', 'list', '--organization', '99999999999999999'], /positive integer/],
    [['key', 'revoke'], /missing required argument 'id'/],
    [['key', 'revoke', 'sk_live_x'], /positive integer/],
    [['key', 'revoke', '999'], /Organization 1 has no key 999\. "whence key list"/],
    [['organization', 'create', ''], /1 to 255 characters/],
    [['organization', 'create', 'x'.repeat(256)], /1 to 255 characters/],
    [['connect', 'mugs'], /Allowed choices are stripe/],
    [['connect', 'stripe', '--mode', 'trial'], /Allowed choices are live, test/],
    [['connect', 'stripe', '--organization', 'mugs'], /positive integer/],
    [['person', 'invite', 'ada'], /email address/],
    [['person', 'invite', 'ada@example.com', '--role', 'king'], /Allowed choices are owner, manager, viewer/],
    [['person', 'invite', 'ada@example.com', '--organization', '99'], /There is no organization 99/],
    [['visitor', 'erase', '0'], /positive integer/],
    [['visitor', 'erase', '42', '--organization', '99'], /There is no organization 99/],
    [['restore', '/nowhere/at-all.whence'], /There is no file \/nowhere\/at-all\.whence/],
    [['restore', tmpdir()], /is not a file/],
    [['restore', import.meta.filename], /can't be restored/],
    [['backup', '/nowhere/at-all.whence'], /ENOENT: no such file or directory/],
    [['backup', import.meta.filename], /exists|already/],
    [['skip-ids'], /Run the command again with --yes/],
    [['mug'], /unknown command 'mug'/],
    [['verify', 'more'], /too many arguments/],
  ] as const) {
    it(`explains the error in plain words: whence ${args.join(' ').slice(0, 60)}`, async () => {
      const { code, printed } = await run(...args);
      assert.equal(code, 1, printed);
      assert.match(printed, says);
      assertPlain(printed);
    });
  }

  it('explains wrong settings and database errors in plain words', async () => {
    const url = new URL(service.databaseUrl);
    const empty = new URL(url);
    empty.pathname = '/postgres';
    const unknown = new URL(url);
    unknown.pathname = '/nothing_of_the_kind';
    for (const [settings, says] of [
      [{ DATABASE_URL: 'postgres://127.0.0.1:1/whence' }, /ECONNREFUSED/],
      [{ DATABASE_URL: 'mysql://127.0.0.1/whence' }, /DATABASE_URL: must begin with postgres/],
      [{ DATABASE_URL: unknown.href }, /nothing_of_the_kind/],
      [{ DATABASE_URL: empty.href }, /whence migrate/],
      [{ WHENCE_DATA_DIR: '/proc/nothing' }, /There is no database in \/proc\/nothing/],
    ] as const) {
      for (const command of [['verify'], ['key', 'list'], ['organization', 'list']]) {
        const { code, printed } = await runElsewhere(settings, ...command);
        assert.equal(code, 1, printed);
        assert.match(printed, says);
        assertPlain(printed);
      }
    }
  });

  it('creates no database for commands that need an existing one', async () => {
    for (const [name, isMade] of [
      ['missing', false],
      ['empty', true],
    ] as const) {
      const data = join(folder, name);
      if (isMade) mkdirSync(data);
      for (const args of [
        ['verify'],
        ['replay'],
        ['backup', join(folder, 'none.whence')],
        ['skip-ids', '--yes'],
        ['key', 'list'],
        ['key', 'create'],
        ['organization', 'create', 'Mugs'],
        ['secrets', 'replace'],
      ]) {
        const { code, printed } = await runElsewhere({ WHENCE_DATA_DIR: data }, ...args);
        assert.deepEqual([code, /There is no database in/.test(printed)], [1, true], printed);
        assertPlain(printed);
      }
      assert.equal(existsSync(join(data, 'postgres')), false);
      assert.equal(existsSync(join(data, 'encryption.key')), false);
    }
  });

  it('explains a missing write permission in plain words', { skip: process.getuid?.() === 0 }, async () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o500);
    const { code, printed } = await run('backup', join(closed, 'x.whence'));
    assert.equal(code, 1);
    assert.match(printed, /EACCES/);
    assertPlain(printed);
  });

  it('lists and revokes keys, with a record in the audit log', async () => {
    const made = (await run('key', 'create', '--label', 'Till')).printed.trim();
    const [, id = ''] = /^(\d+) {2}secret {2}sk_live_\S+ {2}Till {2}\(active, never used\)$/m.exec(
      (await run('key', 'list')).printed,
    ) as RegExpExecArray;
    const answer = () => service.request('GET', '/v1/organization', { key: made });
    assert.equal((await answer()).status, 200);
    assert.match((await run('key', 'revoke', id)).printed, new RegExp(`^Key ${id} is revoked`));
    assert.match((await run('key', 'revoke', id)).printed, /was already revoked/);
    assert.match((await run('key', 'list')).printed, new RegExp(`^${id} .*revoked`, 'm'));
    const audit = await service.request('GET', '/v1/audit-entries?operation=revokeApiKey', { key: service.secretKey });
    assert.deepEqual(
      (audit.body as { author: string; path: string }[]).map(({ author, path }) => [author, path]),
      [['command line', `/v1/api-keys/${id}`]],
    );
    assert.doesNotMatch((await run('key', 'list')).printed, new RegExp(made));
  });

  it('lists organizations', async () => {
    assert.equal((await run('organization', 'create', 'Plates')).code, 0);
    assert.match((await run('organization', 'create', 'Try out', '--test')).printed, /^Test organization \d+\n/);
    assert.match(
      (await run('organization', 'list')).printed,
      /^1 {2}My organization {2}\(live, .*\n\d+ {2}Plates {2}\(live, .*\n\d+ {2}Try out {2}\(test, /,
    );
  });

  it('invites people as viewers unless a role is given', async () => {
    assert.equal((await run('person', 'invite', 'grace@example.com')).code, 0);
    assert.equal((await run('person', 'invite', 'linus@example.com', '--role', 'owner')).code, 0);
    const invited = await service.request('GET', '/v1/invitations', { key: service.secretKey });
    const roles = (invited.body as { email: string; role: string }[])
      .map(({ email, role }) => [email, role])
      .filter(([email]) => email !== null);
    assert.deepEqual(
      new Map(roles as [string, string][]),
      new Map([
        ['linus@example.com', 'owner'],
        ['grace@example.com', 'viewer'],
      ]),
    );
  });

  it('skips ids with whence skip-ids --yes', async () => {
    const before = await service.database.query('select last_value from organizations_id_seq');
    assert.equal((await run('skip-ids', '--yes')).code, 0);
    const after = await service.database.query('select last_value from organizations_id_seq');
    assert.notDeepEqual(after.rows, before.rows);
  });

  it('rejects TRUSTED_PROXIES that are not addresses or ranges', async () => {
    for (const proxies of ['1.2.3', '1', '0x7f.1', '10.0.0.0/33', '10.0.0/8', 'proxy', '10.0.0.1,']) {
      const { code, printed } = await runElsewhere(
        { DATABASE_URL: service.databaseUrl, TRUSTED_PROXIES: proxies },
        'start',
      );
      assert.equal(code, 1, proxies);
      assert.match(printed, /TRUSTED_PROXIES: must be addresses or ranges/);
      assertPlain(printed);
    }
  });

  it('the running service shows its version in /readyz and the metrics', async () => {
    const ready = await fetch(`${service.url}/readyz`);
    assert.equal(((await ready.json()) as { version: string }).version, version);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    assert.ok(metrics.includes(`whence_build_info{version="${version}",node="${process.version}"} 1`));
  });

  /** Asserts that the output contains no stack trace, no SQL and no common error text of PostgreSQL. */
  function assertPlain(printed: string): void {
    assert.doesNotMatch(
      printed,
      /\n {4}at |node:internal|invalid input syntax|violates|relation "|\bselect\b|insert into/i,
    );
  }

  it('refuses to restore a file that is not a backup, and leaves it unchanged', async () => {
    const file = join(folder, 'no.whence');
    writeFileSync(file, 'no back-up');
    const { code, printed } = await runElsewhere({ DATABASE_URL: service.databaseUrl }, 'restore', file);
    assert.equal(code, 1);
    assertPlain(printed);
    assert.equal(readFileSync(file, 'utf8'), 'no back-up');
  });
});
