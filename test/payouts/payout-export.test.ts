import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTill, type Payout, type Till } from '../support/payouts.ts';
import { faultCodes } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { openDatabase } from '#platform/postgres/database.ts';

const COLUMNS = 'payoutId,fulfillmentId,collaboratorId,name,email,amount,currency,status,review,paidAt';
const NAMES = ['=HYPERLINK("http://x")', '-2+3', 'O’Brien, "Bo"', 'Zoë\nof Rome', 'a;=1+1'];

describe('POST /v1/payouts/export', () => {
  let service: TestService;
  let shop: Shop;
  let till: Till;
  let payouts: Payout[];
  before(async () => {
    service = await startService();
    shop = openShop(service);
    till = openTill(service);
    await shop.program({ autoApprove: true });
    for (const [index, name] of NAMES.entries()) {
      await shop.collaborator(`code-${index}`, { name, email: index === 0 ? 'ada@example.com' : undefined });
      await shop.sell(`order-${index}`, await shop.visit(`code-${index}`), { total: (index + 1) * 12.5 });
    }
    await service.settled();
    payouts = await till.payoutsOf(await till.runOne());
    await till.mark(payouts[0]?.id ?? 0, 'paid');
  });
  after(() => service.stop());

  const exported = async (body: object): Promise<{ headers: Headers; bytes: Uint8Array }> => {
    // Use fetch directly, because reading the body as text would drop its byte order mark.
    const reply = await fetch(`${service.url}/v1/payouts/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(reply.status, 200);
    return { headers: reply.headers, bytes: new Uint8Array(await reply.arrayBuffer()) };
  };
  const lines = async (body: object): Promise<string[]> =>
    Buffer.from((await exported(body)).bytes)
      .toString()
      .slice(1)
      .split('\r\n');

  it('returns a CSV file with headers and a byte order mark for spreadsheets', async () => {
    const { headers, bytes } = await exported({});
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(headers.get('content-disposition'), 'attachment; filename="payouts.csv"');
    assert.deepEqual(bytes.slice(0, 3), Uint8Array.of(0xef, 0xbb, 0xbf));
  });

  it('returns each payout with amounts in major units and without executable cells', async () => {
    const [first, ...rest] = payouts;
    assert.ok(first);
    const paidAt = (await till.payout(first.id)).paidAt;
    const of = ({ id, fulfillmentId, collaboratorId }: Payout) => `${id},${fulfillmentId},${collaboratorId}`;
    const cells = [`'-2+3,,2.50`, '"O’Brien, ""Bo""",,3.75', '"Zoë\nof Rome",,5.00', `"a;'=1+1",,6.25`];
    assert.deepEqual(await lines({}), [
      COLUMNS,
      `${of(first)},"'=HYPERLINK(""http://x"")",ada@example.com,1.25,USD,paid,none,${paidAt}`,
      ...rest.map((payout, index) => `${of(payout)},${cells[index]},USD,unpaid,none,`),
      '',
    ]);
  });

  it('filters payouts by run, status and currency', async () => {
    const run = payouts[0]?.fulfillmentId;
    const counted = async (body: object) => (await lines(body)).length - 2;
    assert.equal(await counted({ fulfillmentId: run }), 5);
    assert.equal(await counted({ fulfillmentId: run, status: 'paid', currency: 'usd' }), 1);
    assert.equal(await counted({ status: 'void' }), 0);
    assert.equal(await counted({ currency: 'EUR' }), 0);
    assert.equal(await counted({ fulfillmentId: 999_999 }), 0);
  });

  it('rejects an export of more than 100,000 payouts and suggests a filter', async () => {
    const { organization_id: organizationId } = (
      await service.database.query<{ organization_id: number }>('select organization_id from payouts limit 1')
    ).rows[0] as { organization_id: number };
    // Insert void payouts, because they need no obligations. Replica mode disables the triggers.
    const own = openDatabase(service.databaseUrl, { connections: 1 });
    await own.query('set session_replication_role = replica');
    await own.query(
      `with made as (insert into fulfillments (organization_id, currency, author)
         select $1, 'USD', 'key 1' from generate_series(1, 100001) returning id)
       insert into payouts (organization_id, fulfillment_id, collaborator_id, currency, amount, status)
       select $1, id, $2, 'USD', 0, 'void' from made`,
      [organizationId, payouts[0]?.collaboratorId],
    );
    await own.end();
    const body = { status: 'void' };
    const reply = await service.request('POST', '/v1/payouts/export', { key: service.secretKey, body });
    assert.equal(reply.status, 422);
    assert.deepEqual(faultCodes(reply), { '/fulfillmentId': 'too-many' });
  });
});
