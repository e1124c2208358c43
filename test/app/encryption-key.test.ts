import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { openPostroom, type Postroom } from '../support/deliveries.ts';
import { runCommand } from '../support/process.ts';
import { openReceiver } from '../support/receiver.ts';
import type { PersonId } from '#core/ids.ts';
import { foundOrganization } from '#access/commands/found-organization.ts';
import { hashPassword, saltOf } from '#access/commands/passwords.ts';
import { newRecoveryCodes } from '#access/commands/second-factor.ts';
import { insertCollaborator } from '#collaborators/store/collaborators.ts';
import { inTransaction } from '#platform/postgres/database.ts';
import { savePayerAccount } from '#payouts/store/payer-accounts.ts';
import { savePayoutDetails } from '#collaborators/store/payout-details.ts';
import type { TaxDetails } from '#collaborators/domain/tax-details.ts';
import { saveTaxDetails } from '#collaborators/store/tax-details.ts';
import { insertPerson } from '#access/store/people.ts';
import { beginTotp, proposeTotp } from '#access/store/second-factors.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { PASSWORD } from '../support/people.ts';
import { Webhook } from 'standardwebhooks';
import { readConfig } from '#app/config.ts';
import { encryptionKey } from '#app/encryption-key.ts';
import { startService } from '#app/main.ts';

const HEX = 'ab'.repeat(32);
const TAX: TaxDetails = {
  status: 'business',
  firstName: null,
  lastName: null,
  legalName: 'Bo Ltd',
  country: 'GB',
  street: '1 Main St',
  city: 'London',
  region: null,
  postalCode: null,
  addressCountry: 'GB',
  tin: null,
  tinCountry: null,
  vatNumber: null,
  registrationNumber: null,
  dateOfBirth: null,
};

describe('WHENCE_ENCRYPTION_KEY', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whence-key-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const keyOf = (settings: Record<string, string>) =>
    encryptionKey(readConfig({ WHENCE_DATA_DIR: folder, ...settings }));

  it('sets the encryption key, in hex or base64', async () => {
    const key = Buffer.from(HEX, 'hex');
    for (const text of [HEX, HEX.toUpperCase(), key.toString('base64'), key.toString('base64').replace('=', '')]) {
      assert.deepEqual((await keyOf({ WHENCE_ENCRYPTION_KEY: text })).key, key);
    }
    assert.deepEqual(await readdir(folder), [], 'no file is created');
  });

  it('is refused if it doesn’t have 32 bytes', () => {
    for (const text of ['short', HEX.slice(2), `${HEX}00`, 'x'.repeat(64)]) {
      assert.throws(() => readConfig({ WHENCE_ENCRYPTION_KEY: text }), /WHENCE_ENCRYPTION_KEY/);
    }
  });

  describe('the key file, if WHENCE_ENCRYPTION_KEY is not set', () => {
    it('is created once, even by concurrent starts, and only its owner can read it', async () => {
      const made = await Promise.all(Array.from({ length: 16 }, () => keyOf({})));
      assert.equal(new Set(made.map(({ key }) => key.toString('hex'))).size, 1);
      assert.equal(made.filter(({ isNew }) => isNew).length, 1);
      assert.deepEqual(await readdir(folder), ['encryption.key']);
      assert.equal((await stat(join(folder, 'encryption.key'))).mode & 0o777, 0o600);
      assert.deepEqual((await keyOf({})).key, made[0]?.key);
    });

    it('is refused and never overwritten if it is damaged', async () => {
      const path = join(folder, 'encryption.key');
      const before = await readFile(path, 'utf8');
      await writeFile(path, 'nonsense');
      await assert.rejects(keyOf({}), /is not an encryption key/);
      await writeFile(path, before);
    });

    it('causes an error with instructions if it can’t be read or created', async () => {
      const file = join(folder, 'file');
      await writeFile(file, '');
      await chmod(file, 0o400);
      await assert.rejects(keyOf({ WHENCE_DATA_DIR: join(file, 'inside') }), /openssl rand -hex 32/);
    });
  });
});

describe('a database with secrets encrypted with another key', () => {
  let room: Postroom;
  before(async () => {
    room = await openPostroom();
  });
  after(() => room.end());
  const settings = (): Record<string, string> => ({ DATABASE_URL: room.url, PORT: '0', WHENCE_ENCRYPTION_KEY: HEX });

  it('is refused at startup with instructions, until webhook secrets are replaced', async () => {
    const receiver = await openReceiver();
    const { id } = await room.webhook(receiver.url);
    const start = () => startService(readConfig(settings()), pino({ level: 'silent' }), () => {});
    await assert.rejects(start(), /: secrets of webhooks \(1\)\. Set WHENCE_ENCRYPTION_KEY .*secrets replace/s);

    const { code, printed } = await runCommand(['webhook', 'replace-secrets'], settings());
    assert.equal(code, 0, printed);
    const secret = new RegExp(`organization 1, webhook ${id} \\(${receiver.url}\\): (whsec_\\S+)`).exec(printed)?.[1];
    assert.ok(secret !== undefined, printed);
    const again = await runCommand(['webhook', 'replace-secrets'], settings());
    assert.match(again.printed, /^0 signing secrets replaced/);

    await (await start()).stop();
    await room.post(id);
    const sending = room.start({ secrets: secretBox(Buffer.from(HEX, 'hex')) });
    await sending.idle();
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    new Webhook(secret).verify(body, headers as Record<string, string>);
    await receiver.close();
  });

  it('is refused if it has second factors or payment data, and second factors stay required after the secrets are replaced', async () => {
    const { database, organizationId } = room;
    const box = secretBox(Buffer.from('cd'.repeat(32), 'hex'));
    const own = {
      name: 'Ada',
      email: 'ada@lost.example',
      role: 'owner',
      password: await hashPassword(PASSWORD, saltOf(box, 'ada@lost.example')),
      isConfirmed: false,
    } as const;
    const { codes, hashes } = newRecoveryCodes();
    const collaborator = {
      name: 'Bo',
      email: null,
      nickname: null,
      status: 'active',
      userId: null,
      tags: [],
      fraudReview: 'signals',
    } as const;
    const id = await inTransaction(database, async (connection) => {
      const tenant = { connection, organizationId };
      const person = (await insertPerson(tenant, own)) as PersonId;
      await proposeTotp(tenant, person, box.seal('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'));
      await beginTotp(tenant, person, hashes);
      const collaboratorId = await insertCollaborator(tenant, collaborator);
      const details = { method: 'other', holder: 'Bo', account: 'DE89', bankCode: null, accountType: null } as const;
      await savePayoutDetails(tenant, box, collaboratorId, details);
      await saveTaxDetails(tenant, box, collaboratorId, TAX);
      await savePayerAccount(tenant, box, { holder: 'Mugs', iban: 'DE89370400440532013000', bic: null });
      return collaboratorId;
    });
    const start = () => startService(readConfig(settings()), pino({ level: 'silent' }), () => {});
    await assert.rejects(
      start(),
      /: second factors \(1\), payout details \(1\), tax details \(1\), bank accounts of merchants \(1\)\. Set WHENCE_ENCRYPTION_KEY/,
    );

    const { printed } = await runCommand(['secrets', 'replace'], settings());
    assert.ok(printed.includes(`organization ${organizationId}, collaborator ${id}: payout details must be entered`));
    assert.ok(
      printed.includes(`organization ${organizationId}, collaborator ${id}: tax details must be entered again`),
    );
    assert.ok(printed.includes(`organization ${organizationId}: the bank account for payouts must be entered again`));
    assert.match(printed, /^1 user must log in with a recovery code/m);
    const service = await start();
    const logIn = async (code?: string): Promise<number> => {
      const body = JSON.stringify({ email: own.email, password: PASSWORD, code });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${service.url}/v1/sessions`, { method: 'POST', headers, body })).status;
    };
    assert.deepEqual([await logIn(), await logIn(codes[0])], [401, 201], 'the password alone is not enough');
    await service.stop();
    assert.equal((await database.query('select from payout_details')).rowCount, 0);
    assert.equal((await database.query('select from tax_details')).rowCount, 0);
    assert.equal((await database.query('select from payer_accounts')).rowCount, 0);
    await database.query('update people set totp_secret = null, totp_since = null');
  });

  it('is refused if it has connectors, until their secrets are replaced', async () => {
    const { database, organizationId } = room;
    const sealed = secretBox(Buffer.from('cd'.repeat(32), 'hex')).seal('whsec_lost');
    await database.query(
      `insert into connectors (organization_id, id, kind, name, source, secret)
       values ($1, 77, 'stripe', 'Shop', 'stripe', $2)`,
      [organizationId, sealed],
    );
    const start = () => startService(readConfig(settings()), pino({ level: 'silent' }), () => {});
    await assert.rejects(start(), /: secrets of connectors \(1\)\. Set WHENCE_ENCRYPTION_KEY/);
    const { printed } = await runCommand(['secrets', 'replace'], settings());
    assert.ok(
      printed.includes(`organization ${organizationId}, connector 77 (Shop): the sender’s secret must be entered`),
    );
    await (await start()).stop();
    await database.query('delete from connectors');
  });

  it('is accepted once all webhooks with such secrets are deleted', async () => {
    await room.webhook('https://shop.example/');
    await room.database.query(`update webhooks set status = 'deleted'`);
    const service = await startService(readConfig(settings()), pino({ level: 'silent' }), () => {});
    await service.stop();
  });

  it('causes a 409 for a repeated call whose stored response can’t be decrypted, and the call has no further effect', async () => {
    const make = async (
      settingsOfKey: Record<string, string>,
      key: string,
    ): Promise<{ status: number; code?: string }> => {
      const service = await startService(readConfig(settingsOfKey), pino({ level: 'silent' }), () => {});
      const answer = await fetch(`${service.url}/v1/api-keys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'kept' },
        body: '{"label":"Kept"}',
      });
      const { code } = (await answer.json()) as { code?: string };
      await service.stop();
      return { status: answer.status, ...(code === undefined ? {} : { code }) };
    };
    const { newKeys } = await foundOrganization(room.database, 'Kept');
    const key = newKeys.secret as string;
    assert.deepEqual(await make(settings(), key), { status: 201 });
    assert.deepEqual(await make(settings(), key), { status: 201 });
    const other = { ...settings(), WHENCE_ENCRYPTION_KEY: 'cd'.repeat(32) };
    assert.deepEqual(await make(other, key), { status: 409, code: 'idempotency-answer-lost' });
    const { rows } = await room.database.query(`select from api_keys where label = 'Kept'`);
    assert.equal(rows.length, 1);
  });
});
