import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { verify } from '#verify/verify.ts';
import { openTill, type Payout, type Till } from '../support/payouts.ts';
import { openMailbox, openPortal } from '../support/portal.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

type Results = {
  others: number;
  payments: { payoutId: number; outcome: string; status: string; amount: number | null; reason: string | null }[];
};
type Balance = { balance: number; pending: number; inPayout: number; paid: number };

const HEADER = 'reference,amount,currency,status,reason';

describe('the import of a result file', () => {
  let service: TestService;
  let shop: Shop;
  let till: Till;
  let orders = 0;
  let payouts: Payout[];
  let partners: number[];
  before(async () => {
    service = await startService();
    shop = openShop(service);
    till = openTill(service);
    await shop.program({ autoApprove: true });
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const newRun = async (count: number, total = 50): Promise<Payout[]> => {
    partners = [];
    for (let n = 0; n < count; n += 1) {
      orders += 1;
      partners.push(await shop.collaborator(`code-${orders}`, { name: `Partner ${orders}` }));
      await shop.sell(`order-${orders}`, await shop.visit(`code-${orders}`), { total });
    }
    await service.settled();
    payouts = await till.payoutsOf(await till.runOne());
    return payouts;
  };
  const call = (path: string, file: string): Promise<Reply> =>
    service.request('POST', `/v1/payouts/results${path}`, { key: service.secretKey, body: { file } });
  const must = async (path: string, file: string): Promise<Results> => {
    const reply = await call(path, file);
    assert.equal(reply.status, 200, reply.text);
    return reply.body as Results;
  };
  const preview = (file: string) => must('/preview', file);
  const load = (file: string) => must('', file);
  const outcomes = ({ payments }: Results) => payments.map(({ outcome }) => outcome);
  const csv = (...rows: readonly string[]) => [HEADER, ...rows].join('\n');
  const line = (payout: Payout | undefined, status: string, amount = '5.00', reason = '') =>
    `PAYOUT-${payout?.id},${amount},USD,${status},${reason}`;
  const statuses = async () =>
    (await Promise.all(payouts.map(({ id }) => till.payout(id)))).map(({ status }) => status);
  const balanceOf = async (collaboratorId = 0): Promise<Balance> =>
    (await shop.get<Balance[]>(`/v1/collaborators/${collaboratorId}/balance`))[0] as Balance;

  it('marks payouts as paid and failed, after a preview that changes nothing', async () => {
    const [one, two, three] = await newRun(3);
    const file = csv(line(one, 'paid'), line(two, 'failed', '5.00', 'Account closed'), line(three, 'pending'));
    const planned = await preview(file);
    assert.deepEqual(outcomes(planned), ['paid', 'failed', 'pending']);
    assert.deepEqual(await statuses(), ['unpaid', 'unpaid', 'unpaid']);
    assert.deepEqual(await load(file), planned);
    assert.deepEqual(await statuses(), ['paid', 'void', 'unpaid']);
    const failed = (await till.payout(two?.id ?? 0)) as Payout & { failure: string };
    assert.deepEqual([failed.amount, failed.failure], [0, 'Account closed']);
    const { balance, pending, inPayout } = await balanceOf(partners[1]);
    assert.deepEqual([balance, pending, inPayout], [500, 500, 0], 'the failed amount is payable again');
    assert.deepEqual(await preview(file).then(outcomes), ['unchanged', 'unchanged', 'pending']);
  });

  it('changes nothing and writes no audit record when it is repeated', async () => {
    const [one, two] = await newRun(2);
    const file = csv(line(one, 'paid'), line(two, 'failed'));
    await load(file);
    const audited = async () =>
      (
        await service.database.query<{ text: string }>(
          `select concat(request, after) as text from audit_entries where operation = 'importPayoutResults'`,
        )
      ).rows.map(({ text }) => text);
    const earlier = await audited();
    assert.doesNotMatch(earlier.at(-1) ?? '', /reference,amount/, 'the file is not stored');
    const entries = async () => (await service.database.query('select from ledger_entries')).rowCount;
    const booked = await entries();
    assert.deepEqual(outcomes(await load(file)), ['unchanged', 'unchanged']);
    assert.equal((await audited()).length, earlier.length);
    assert.equal(await entries(), booked);
  });

  it('leaves a failed amount to the next run, and a repeated import of the old file doesn’t change the new payout', async () => {
    const [one] = await newRun(1);
    const file = csv(line(one, 'failed'));
    await load(file);
    const again = await till.payoutsOf(await till.runOne({ currency: 'USD' }));
    const next = again.find(({ collaboratorId }) => collaboratorId === one?.collaboratorId);
    assert.equal(next?.amount, 500);
    assert.deepEqual(outcomes(await load(file)), ['unchanged']);
    assert.deepEqual(outcomes(await load(csv(line(one, 'paid')))), ['void']);
    assert.equal((await till.payout(next?.id ?? 0)).status, 'unpaid');
  });

  it('refuses lines whose amount, currency or payout doesn’t match, and applies the other lines', async () => {
    const [one, two, three] = await newRun(3);
    const file = csv(
      line(one, 'paid', '4.99'),
      line(two, 'paid').replace('USD', 'EUR'),
      'PAYOUT-999999,5.00,USD,paid,',
      line(three, 'paid'),
      'rent,900.00,USD,paid,',
    );
    const results = await load(file);
    assert.deepEqual(outcomes(results), ['amount-differs', 'currency-differs', 'not-found', 'paid']);
    assert.equal(results.others, 1);
    assert.deepEqual(await statuses(), ['unpaid', 'unpaid', 'paid']);
  });

  it('reads status reports and statements of a bank', async () => {
    const [one, two] = await newRun(2);
    const rejected = `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><OrgnlPmtInfAndSts><TxInfAndSts><OrgnlEndToEndId>PAYOUT-${one?.id}</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`;
    const results = await load(rejected);
    assert.deepEqual([results.payments[0]?.outcome, results.payments[0]?.reason], ['failed', 'AC04']);
    const entry = (direction: string) =>
      `<c:Ntry><c:Amt Ccy="USD">5.00</c:Amt><c:CdtDbtInd>${direction}</c:CdtDbtInd><c:Sts><c:Cd>BOOK</c:Cd></c:Sts><c:NtryDtls><c:TxDtls><c:Refs><c:EndToEndId>PAYOUT-${two?.id}</c:EndToEndId></c:Refs></c:TxDtls></c:NtryDtls></c:Ntry>`;
    const statement = (...entries: string[]) =>
      `<c:Document xmlns:c="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><c:BkToCstmrStmt><c:Stmt>${entries.join('')}</c:Stmt></c:BkToCstmrStmt></c:Document>`;
    assert.deepEqual(outcomes(await load(statement(entry('DBIT')))), ['paid']);
    assert.deepEqual(await statuses(), ['void', 'paid']);
    assert.deepEqual(outcomes(await load(statement(entry('DBIT'), entry('CRDT')))), ['superseded', 'failed']);
    assert.deepEqual(await statuses(), ['void', 'void']);
    const { pending, paid } = await balanceOf(partners[1]);
    assert.deepEqual([pending, paid], [500, 0]);
  });

  it('refuses a file that it can’t read, with the reason', async () => {
    const refused = async (file: string) => Object.values(faultCodes(await call('', file)))[0];
    assert.equal(await refused('<Document>'), 'malformed-xml');
    assert.equal(await refused('<!DOCTYPE d [<!ENTITY e "x">]><Document>&e;</Document>'), 'malformed-xml');
    assert.equal(await refused(`${'<a>'.repeat(41)}${'</a>'.repeat(41)}`), 'malformed-xml');
    assert.equal(await refused('<Document hasOwnProperty="1" b="2"/>'), 'malformed-xml');
    assert.equal(await refused(`<Document>${'&;'.repeat(100_000)}</Document>`), 'malformed-xml');
    assert.equal(await refused(`<Document>${'<a/>'.repeat(50_000)}</Document>`), 'too-many');
    assert.equal(await refused('<Document><Other/></Document>'), 'unsupported');
    const rejected =
      '<Document><CstmrPmtStsRpt><OrgnlGrpInfAndSts><GrpSts>RJCT</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>';
    assert.equal(await refused(rejected), 'file-rejected');
    assert.equal(
      await refused(rejected.replace('</GrpSts>', '</GrpSts><StsRsnInf><AddtlInf>AM05</AddtlInf></StsRsnInf>')),
      'file-rejected',
    );
    assert.equal(await refused('x'.repeat(1_000_001)), 'too-long');
    assert.equal(await refused('a,b\n1,2'), 'missing-columns');
    assert.equal(await refused('status,amount\n"paid'), 'malformed-csv');
    assert.equal(await refused('status,name,amount\npaid,PAYOUT-1,5'), 'missing-columns');
    assert.equal(await refused('status,reference\npaid,PAYOUT-1'), 'missing-columns');
    assert.equal(await refused('status,amount,reference\npaid,x,PAYOUT-1'), 'invalid-format');
    assert.equal(await refused('x'.repeat(200_000)), 'row-too-long');
    assert.equal(await refused(`status${','.repeat(1_001)}\n`), 'too-many');
    assert.equal(
      await refused(csv(...Array.from({ length: 10_001 }, (_, n) => `PAYOUT-${n + 1},,,paid,`))),
      'too-many',
    );
    assert.equal(await refused(`status\n${'x\n'.repeat(50_001)}`), 'too-many');
  });

  it('keeps all invariants under concurrent imports, marks, failures and new runs', async () => {
    const made = await newRun(4);
    const run = made[0]?.fulfillmentId ?? 0;
    const file = csv(...made.map((payout, at) => line(payout, at % 2 === 0 ? 'paid' : 'failed')));
    const key = service.secretKey;
    const ids = made.map(({ id }) => id);
    const replies = await Promise.all([
      call('', file),
      call('', file),
      service.request('POST', '/v1/payouts/bulk', { key, body: { action: 'mark-paid', ids } }),
      service.request('POST', '/v1/payouts/bulk', { key, body: { action: 'mark-unpaid', ids } }),
      till.tryRun(run, 'fail'),
      ...ids.map((id) => till.tryPayout(id, 'fail', { reason: 'Returned' })),
      till.run(),
    ]);
    for (const reply of replies.slice(0, 4)) assert.equal((reply as Reply).status, 200);
    assert.deepEqual((await verify(service.database)).breaches, []);
    await load(file);
    for (const [at, status] of (await statuses()).entries()) assert.ok(at % 2 === 0 || status === 'void', status);
  });
});

describe('POST /v1/payouts/{id}/fail', () => {
  let service: TestService;
  let shop: Shop;
  let till: Till;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    till = openTill(service);
    await shop.program({ autoApprove: true });
    await shop.collaborator('ada', { email: 'ada@failed.example' });
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const newPayout = async (order: string): Promise<Payout> => {
    await shop.sell(order, await shop.visit('ada'), { total: 50 });
    await service.settled();
    const [payout] = await till.payoutsOf(await till.runOne());
    assert.ok(payout);
    return payout;
  };
  const fail = (id: number) => till.tryPayout(id, 'fail', { reason: 'Account closed' });

  it('makes a payout void, even if it is paid, and a repeated call changes nothing', async () => {
    const { id } = await newPayout('order-1');
    await till.mark(id, 'paid');
    const failed = await fail(id);
    assert.equal(failed.status, 200, failed.text);
    assert.deepEqual((await fail(id)).body, failed.body);
    const { status, failure } = failed.body as Payout & { failure: string };
    assert.deepEqual([status, failure], ['void', 'Account closed']);
    assert.equal(problemCode(await till.tryPayout(id, 'mark-paid')), 'invalid-transition');
    assert.equal((await till.tryPayout(999_999, 'fail', { reason: 'x' })).status, 404);
  });

  it('closes the review of the payout, and a refunded conversion is not payable again', async () => {
    const { id } = await newPayout('order-2');
    await shop.refund('order-2');
    await service.settled();
    assert.equal((await till.payout(id)).review.state, 'flagged');
    assert.equal((await fail(id)).status, 200);
    const { review, amount } = await till.payout(id);
    assert.deepEqual([review.state, review.reasons[0]?.resolution, amount], ['resolved', 'void', 0]);
    const owed = await shop.get<{ status: string }[]>('/v1/obligations?sort=-id&perPage=1');
    assert.equal(owed[0]?.status, 'rejected');
  });

  it('shows the reason to the collaborator in the portal', async () => {
    const { id } = await newPayout('order-4');
    await fail(id);
    const portal = await openPortal(service, await openMailbox(service), 'mugs', service.secretKey);
    const ada = await portal.enter('ada@failed.example');
    const [shown] = await ada.must<{ id: number; failure: string | null }[]>('GET', '/v1/portal/payouts');
    assert.deepEqual([shown?.id, shown?.failure], [id, 'Account closed']);
  });

  it('is refused once the run is complete', async () => {
    const { id, fulfillmentId } = await newPayout('order-3');
    await till.move(fulfillmentId, 'process');
    await till.move(fulfillmentId, 'complete');
    assert.equal(problemCode(await fail(id)), 'invalid-transition');
  });
});
