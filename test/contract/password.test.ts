import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { accept, invite, logIn, makePerson, PASSWORD } from '#test/support/people.ts';
import { FROM_NETWORKS } from '#test/support/portal.ts';
import { startService, type TestService } from '#test/support/service.ts';

describe('a password', () => {
  let service: TestService;
  before(async () => (service = await startService(FROM_NETWORKS)));
  after(() => service.stop());

  async function personWith(email: string, password: string): Promise<void> {
    const token = await invite(service, service.secretKey, 'viewer', email);
    const accepted = await accept(service, token, email, password);
    assert.equal(accepted.status, 201, accepted.text);
  }

  async function keptOf(email: string): Promise<string> {
    const { rows } = await service.database.query<{ password: string }>(
      'select password from people where email = $1',
      [email],
    );
    return rows[0]?.password ?? '';
  }

  it('is read as it was sent: no letter in another case, nothing cut off or put in', async () => {
    const password = ' Seven Quiet Herons! ';
    await personWith('exact@mugs.example', password);
    for (const other of [
      password.trim(),
      password.toLowerCase(),
      password.slice(0, -1),
      `${password} `,
      password.replace(' ', ''),
      password.replaceAll(' ', '\u2003x').replaceAll('x', ''),
    ].filter((each) => each.normalize('NFKC') !== password))
      assert.equal((await logIn(service, 'exact@mugs.example', other)).status, 401, JSON.stringify(other));
    assert.equal((await logIn(service, 'exact@mugs.example', password)).status, 201);
  });

  it('counts to its 256th character', async () => {
    const password = Array.from({ length: 256 }, (_, at) => String.fromCodePoint(97 + (at % 26))).join('');
    await personWith('long@mugs.example', password);
    assert.equal((await logIn(service, 'long@mugs.example', `${password.slice(0, -1)}?`)).status, 401);
    assert.equal((await logIn(service, 'long@mugs.example', password)).status, 201);
    assert.equal(
      (await logIn(service, 'long@mugs.example', `${password}?`)).status,
      422,
      'longer ones are refused whole',
    );
  });

  it('is one however its characters are put together', async () => {
    const composed = 'sieben müde Störche';
    await personWith('composed@mugs.example', composed);
    const apart = composed.normalize('NFD');
    assert.notEqual(apart, composed);
    assert.equal((await logIn(service, 'composed@mugs.example', apart)).status, 201);
  });

  it('is kept as argon2id of 19 MiB and two passes, with a salt of its own', async () => {
    const emails = ['one@mugs.example', 'two@mugs.example'];
    for (const email of emails) await makePerson(service, 'viewer', email);
    const kept = await Promise.all(emails.map(keptOf));
    assert.equal(new Set(kept).size, 2, 'one password, two salts');
    for (const text of kept) {
      const [, nonce = '', tag = ''] =
        /^\$argon2id\$v=19\$m=19456,t=2,p=1\$([\w+/]{22})\$([\w+/]{43})$/.exec(text) ?? [];
      const expected = argon2Sync('argon2id', {
        message: PASSWORD,
        nonce: Buffer.from(nonce, 'base64'),
        memory: 19_456,
        passes: 2,
        parallelism: 1,
        tagLength: 32,
      });
      assert.deepEqual(Buffer.from(tag, 'base64'), expected, text);
    }
  });

  it('holds until somebody changes it, however old it is', async () => {
    await makePerson(service, 'viewer', 'old@mugs.example');
    await service.database.query(
      `update people set created_at = now() - interval '20 years', last_seen_at = now() - interval '19 years'
       where email = 'old@mugs.example'`,
    );
    assert.equal((await logIn(service, 'old@mugs.example')).status, 201);
  });
});
