import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { openPostroom, type Postroom } from '#test/support/deliveries.ts';
import { openReceiver } from '#test/support/receiver.ts';
import type { OrganizationId, WebhookId } from '#core/ids.ts';
import { foundOrganization } from '#access/commands/found-organization.ts';
import { inTransaction } from '#platform/postgres/database.ts';
import { webhookLag } from '#webhooks/store/webhook-deliveries.ts';
import { announceOutbox, type Announced } from '#webhooks/reactions/announce.ts';

const BATCH = 60;

describe('announceOutbox: a batch of outbox rows', () => {
  let room: Postroom;
  /** Organizations with a paused webhook for all events, so that their messages stay undelivered. */
  const organizations: { readonly id: OrganizationId; readonly webhookId: WebhookId }[] = [];
  before(async () => {
    room = await openPostroom();
    for (let n = 0; n < BATCH + 5; n += 1) {
      const { organizationId: id } = await foundOrganization(room.database, `Organization ${n}`);
      const { rows } = await room.database.query<{ id: WebhookId }>(
        `insert into webhooks (organization_id, url, secret, status, paused_reason, paused_at)
         values ($1, 'https://stand.example/', '\\x00', 'paused', 'by-hand', now()) returning id`,
        [id],
      );
      organizations.push({ id, webhookId: (rows[0] as { id: WebhookId }).id });
    }
  });
  after(() => room.end());
  afterEach(async () => {
    for (const table of ['webhook_messages', 'webhook_outbox', 'webhook_outbox_stuck', 'collaborators']) {
      await room.database.query(`delete from ${table}`);
    }
  });

  /** Creates the given number of outbox rows of an organization in one statement. */
  const createRows = async (index: number, count = 1): Promise<void> => {
    await room.database.query(
      `insert into collaborators (organization_id, name, status) select $1, 'c', 'active' from generate_series(1, $2)`,
      [organizations[index]?.id, count],
    );
  };
  /** Inserts outbox rows of an unknown type, which can’t become messages. */
  const createInvalidRows = async (index: number, count = 1): Promise<void> => {
    await room.database.query(
      `insert into webhook_outbox (organization_id, type, resource_id)
       select $1, 'nonsense.sent', n from generate_series(1, $2) n`,
      [organizations[index]?.id, count],
    );
  };
  const announce = (): Promise<Announced> =>
    inTransaction(room.database, (connection) => announceOutbox(connection, BATCH));
  const messageCounts = async (): Promise<Map<number, number>> => {
    const { rows } = await room.database.query<{ organization: OrganizationId; count: number }>(
      'select organization_id as organization, count(*) as count from webhook_deliveries group by 1',
    );
    return new Map(
      rows.map(({ organization, count }) => [organizations.findIndex(({ id }) => id === organization), count]),
    );
  };
  const stuck = async (): Promise<{ tries: number; inSeconds: number }[]> => {
    const { rows } = await room.database.query<{ tries: number; inSeconds: number }>(
      `select tries, round(extract(epoch from due_at - now()), -1)::int as "inSeconds" from webhook_outbox_stuck order by id`,
    );
    return rows;
  };

  it('takes at most an equal share of rows from each organization, so that a flood from one organization blocks no other organization', async () => {
    await createRows(0, 50 * BATCH);
    await createRows(1, 1);
    await createRows(2, BATCH);
    assert.equal((await announce()).taken, BATCH / 3 + 1 + BATCH / 3);
    assert.deepEqual(
      await messageCounts(),
      new Map([
        [0, BATCH / 3],
        [1, 1],
        [2, BATCH / 3],
      ]),
    );
    // Two organizations still have rows for the next batches, and only one has rows for the last batch.
    await announce();
    assert.deepEqual(
      await messageCounts(),
      new Map([
        [0, (BATCH / 6) * 5],
        [1, 1],
        [2, (BATCH / 6) * 5],
      ]),
    );
    await announce();
    assert.equal((await announce()).taken, BATCH);
  });

  it('starts with the organizations that have waited longest if a batch is too small for all organizations', async () => {
    for (let n = organizations.length - 1; n >= 0; n -= 1) await createRows(n);
    await announce();
    const first = await messageCounts();
    assert.equal(first.size, BATCH);
    assert.equal(first.has(0), false);
    await createRows(organizations.length - 1, BATCH);
    await announce();
    assert.equal((await messageCounts()).size, organizations.length);
  });

  it('postpones rows that fail, and processes all other rows of the batch', async () => {
    await createRows(0, 7);
    await createInvalidRows(0, 3);
    await createRows(0, 7);
    await createInvalidRows(1, 2);
    await createRows(2, 4);
    const { taken, stuck: stuckRows } = await announce();
    assert.deepEqual([taken, stuckRows.length], [23, 5]);
    assert.deepEqual(
      await messageCounts(),
      new Map([
        [0, 14],
        [2, 4],
      ]),
    );
    assert.deepEqual(
      await stuck(),
      Array.from({ length: 5 }, () => ({ tries: 1, inSeconds: 60 })),
    );
    assert.deepEqual(await announce(), { taken: 0, stuck: [] });
  });

  it('retries failed rows at growing intervals, a few at a time, and counts them as lag', async () => {
    await createInvalidRows(0, 30);
    await announce();
    await room.database.query(
      `update webhook_outbox_stuck set due_at = now(), occurred_at = now() - interval '2 hours'`,
    );
    assert.ok((await webhookLag(room.database)) >= 7_200);
    await createRows(1, BATCH);
    const { taken } = await announce();
    assert.ok(taken > BATCH && taken < BATCH + 30);
    assert.equal((await messageCounts()).get(1), BATCH);
    const gaps = Map.groupBy(await stuck(), ({ tries }) => tries);
    assert.equal(gaps.get(2)?.[0]?.inSeconds, 300);
    assert.equal((gaps.get(1)?.length ?? 0) + (gaps.get(2)?.length ?? 0), 30);
  });

  it('keeps the message id of a failed row that succeeds after a repair', async () => {
    await createRows(0);
    await room.database.query(`update webhook_outbox set type = 'nonsense.sent'`);
    const { rows: before } = await room.database.query<{ id: number }>('select id from webhook_outbox');
    await announce();
    await room.database.query(`update webhook_outbox_stuck set type = 'collaborator.created', due_at = now()`);
    assert.deepEqual(await announce(), { taken: 1, stuck: [] });
    const { rows: after } = await room.database.query<{ id: number }>('select id from webhook_messages');
    assert.deepEqual(after, before);
    assert.deepEqual(await stuck(), []);
  });

  it('logs failed rows, which do not delay other deliveries', async () => {
    const receiver = await openReceiver();
    const { id } = await room.webhook(receiver.url);
    await createInvalidRows(0, 20);
    await room.post(id);
    const failures: unknown[] = [];
    const sending = room.start({ onFailure: (error) => failures.push(error) });
    await sending.idle();
    assert.equal(receiver.received.length, 1);
    assert.equal((await stuck()).length, 20);
    assert.match(
      String(failures[0]),
      /^Error: 20 outbox rows can’t become messages, for example nonsense\.sent of 1 in/,
    );
    assert.equal(failures.length, 1);
    await sending.stop();
    await receiver.close();
  });

  it('processes a few rows at a time if a whole batch is too much for the database', async () => {
    await room.database.query(`
      create function refuse() returns trigger language plpgsql as $$
      begin
        if (select count(*) from after) > 20 then raise exception 'too much' using errcode = 'query_canceled'; end if;
        return null;
      end $$;
      create trigger refuse after insert on webhook_messages
        referencing new table as after for each statement execute function refuse();`);
    await createRows(0, 30);
    const failures: unknown[] = [];
    const sending = room.start({ onFailure: (error) => failures.push(error) });
    while ((await messageCounts()).get(0) !== 30) await sending.idle();
    assert.match(String(failures[0]), /too much/);
    assert.deepEqual(await stuck(), []);
    await sending.stop();
    await room.database.query('drop trigger refuse on webhook_messages');
  });
});
