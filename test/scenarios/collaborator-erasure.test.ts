import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { verify } from '#verify/verify.ts';
import { newPasskey } from '#test/support/authenticator.ts';
import { lockWaits } from '#test/support/paused.ts';
import { openMailbox, openPortal } from '#test/support/portal.ts';
import type { Reply } from '#test/support/service.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

describe('erasing a collaborator', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program();
    await shop.collaborator('bob');
  });
  after(() => service.stop());

  const post = (path: string, body: object): Promise<Reply> =>
    service.request('POST', path, { key: service.secretKey, body });
  const erase = (collaboratorId: number): Promise<Reply> => post('/v1/collaborators/erase', { collaboratorId });
  /** Erases a collaborator. The erasure waits until `amid` has finished, and then redacts the audit log. */
  const eraseAmid = async (id: number, amid: () => Promise<void>): Promise<void> => {
    const holder = await service.database.connect();
    await holder.query('begin');
    await holder.query(`select from audit_entries where after ->> 'id' = $1 for update`, [String(id)]);
    const erasing = erase(id);
    await lockWaits(service.database);
    await amid();
    await holder.query('rollback');
    holder.release();
    const reply = await erasing;
    assert.equal(reply.status, 200, reply.text);
  };
  const reject = async (externalId: string): Promise<void> => {
    for (const { id } of await shop.earned(externalId)) {
      assert.equal((await post(`/v1/conversions/${id}/reject`, { reason: 'Test' })).status, 200);
    }
  };
  const sound = async (): Promise<void> => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    const { differences, leftOut } = await replaySales(service.database);
    assert.deepEqual([differences, leftOut], [[], 0]);
  };

  it('keeps the decisions on sales to the collaborator’s earlier and current user ids', async () => {
    const ada = await shop.collaborator('ada', { userId: 730_001 });
    await shop.change(`/v1/collaborators/${ada}`, { userId: 730_002 });
    // The first buyer has ada's earlier user id, so the sale is no self-referral. The second buyer has ada's current
    // user id and used bob's link.
    await shop.sell('under the first', await shop.visit('ada', { userId: 730_001 }));
    await shop.sell('under the second', await shop.visit('bob', { userId: 730_002 }));
    assert.deepEqual(
      (await shop.earned('under the first')).map(({ collaboratorId }) => collaboratorId),
      [ada],
    );
    await reject('under the first');
    assert.equal((await erase(ada)).status, 200);
    await sound();
  });

  it('removes the collaborator’s user id even from visits that are reported during the erasure', async () => {
    const cy = await shop.collaborator('cy', { userId: 730_003 });
    const oid = await shop.visit('cy');
    await eraseAmid(cy, async () => {
      await shop.visit('bob', { oid, userId: 730_003 });
      await shop.sell('amid', oid);
      const { candidates } = await shop.explain('amid');
      assert.equal(candidates.find(({ collaboratorId }) => collaboratorId === cy)?.reason, 'self-referral');
    });
    await sound();
    for (const table of ['opportunities', 'visits']) {
      const { rowCount } = await service.database.query(`select from ${table} where user_id = 730003`);
      assert.equal(rowCount, 0, table);
    }
  });

  it('rejects a passkey that is added during the erasure, and stores nothing about it', async () => {
    const email = 'dee@example.com';
    const dee = await shop.collaborator('dee', { email });
    const portal = await openPortal(service, await openMailbox(service), 'mugs', service.secretKey);
    const inside = await portal.enter(email);
    const options = await inside.must<{ challenge: string; rp: { id: string }; rpId: string; user: { id: string } }>(
      'POST',
      '/v1/portal/passkeys/challenge',
    );
    const response = newPasskey(service.url.replace('127.0.0.1', 'localhost')).create(options);
    let adding: Promise<Reply> | undefined;
    await eraseAmid(dee, async () => {
      adding = inside.call('POST', '/v1/portal/passkeys', { name: 'Dee’s phone', response });
      await Promise.race([adding, lockWaits(service.database, 2)]);
    });
    assert.equal((await adding)?.status, 401);
    for (const [table, column] of [
      ['passkeys', 'name'],
      ['audit_entries', 'request'],
    ]) {
      const { rowCount } = await service.database.query(`select from ${table} where ${column}::text like '%phone%'`);
      assert.equal(rowCount, 0, table);
    }
  });
});
