import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { accept, invite, logIn, makePerson, PASSWORD } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

describe('password checks at login', () => {
  let service: TestService;
  before(async () => (service = await startService()));
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

  it('refuse a password that differs in case, spaces or length', async () => {
    const password = ' Copper Kettle Snow! ';
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

  it('compare all 256 characters of the password', async () => {
    const password = `copper kettle under snow by one mended canal bridge ${'xyz'.repeat(70)}`.slice(0, 256);
    await personWith('long@mugs.example', password);
    assert.equal((await logIn(service, 'long@mugs.example', `${password.slice(0, -1)}?`)).status, 401);
    assert.equal((await logIn(service, 'long@mugs.example', password)).status, 201);
    assert.equal(
      (await logIn(service, 'long@mugs.example', `${password}?`)).status,
      422,
      'a longer password is refused, not truncated',
    );
  });

  it('accept composed and decomposed Unicode forms of a password as equal', async () => {
    const composed = 'sieben müde Störche';
    await personWith('composed@mugs.example', composed);
    const apart = composed.normalize('NFD');
    assert.notEqual(apart, composed);
    assert.equal((await logIn(service, 'composed@mugs.example', apart)).status, 201);
  });

  it('use argon2id with 19 MiB, two passes and a separate salt per email address', async () => {
    const emails = ['one@mugs.example', 'two@mugs.example'];
    for (const email of emails) await makePerson(service, 'viewer', email);
    const kept = await Promise.all(emails.map(keptOf));
    assert.equal(new Set(kept).size, 2, 'equal passwords have different salts');
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

  it('accept the password of an account that was last used 19 years ago', async () => {
    await makePerson(service, 'viewer', 'old@mugs.example');
    await service.database.query(
      `update people set created_at = now() - interval '20 years', last_seen_at = now() - interval '19 years'
       where email = 'old@mugs.example'`,
    );
    assert.equal((await logIn(service, 'old@mugs.example')).status, 201);
  });
});
