import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatMajor, type Minor } from '#core/money.ts';
import { YEAR_COLUMNS } from '#payouts/domain/paid-year.ts';
import { verify } from '#verify/verify.ts';
import { readCsv } from '../support/csv.ts';
import { openTill, type Till, TAX_DETAILS } from '../support/payouts.ts';
import { diceOf, SEED } from '../support/random.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

type Row = Readonly<Record<string, string>>;

const ROUNDS = 25;
const CODES = ['ada', 'ben', 'cy'];
const CURRENCIES = ['USD', 'EUR'];

describe('POST /v1/payouts/year-export', () => {
  let service: TestService;
  let shop: Shop;
  let till: Till;
  const ids = new Map<string, number>();
  before(async () => {
    service = await startService();
    shop = openShop(service);
    till = openTill(service);
    await shop.program({ autoApprove: true });
    for (const code of CODES) ids.set(code, await shop.collaborator(code, { name: code }));
  });
  after(() => service.stop());

  const download = (year: unknown, key = service.secretKey) =>
    service.request('POST', '/v1/payouts/year-export', { key, body: { year } });
  const rowsOf = async (year: number): Promise<Row[]> => {
    const reply = await download(year);
    assert.equal(reply.status, 200, reply.text);
    const [columns, ...records] = readCsv(reply.text);
    assert.deepEqual(columns, YEAR_COLUMNS);
    return records.map((record) => Object.fromEntries(YEAR_COLUMNS.map((column, n) => [column, record[n] ?? ''])));
  };
  const orderOf = (n: number) => `order-${n}`;
  const minorIn = (major = ''): bigint => BigInt(major.replace('.', ''));

  /**
   * Returns the paid amount for each collaborator, currency and quarter, computed from ledger entries alone. A payout
   * counts with its final amount in the account `paid`, in the quarter of its last payment. Payouts with a final amount
   * of 0 are omitted.
   */
  const paidByLedger = async (year: number): Promise<Record<string, string>> => {
    const { rows } = await service.database.query<{ key: string; amount: string; payouts: string }>(
      `select concat_ws(' ', collaborator_id, currency, extract(quarter from paid_at)) as key,
         sum(amount)::text as amount, count(*)::text as payouts
       from (
         select payout_id, collaborator_id, currency,
           sum(case when credit = 'paid' then amount else -amount end) as amount,
           max(occurred_at) filter (where credit = 'paid') at time zone 'UTC' as paid_at
         from ledger_entries where 'paid' in (debit, credit) group by 1, 2, 3
       ) p
       where amount <> 0 and extract(year from paid_at) = $1
       group by 1`,
      [year],
    );
    return Object.fromEntries(
      rows.map(({ key, amount, payouts }) => [key, `${formatMajor(BigInt(amount) as Minor)} in ${payouts}`]),
    );
  };
  const paidByExport = (rows: readonly Row[]): Record<string, string> =>
    Object.fromEntries(
      rows.flatMap((row) =>
        [1, 2, 3, 4].flatMap((quarter) =>
          row[`payoutsQ${quarter}`] === '0'
            ? []
            : [
                [
                  `${row['collaboratorId']} ${row['currency']} ${quarter}`,
                  `${row[`paidQ${quarter}`]} in ${row[`payoutsQ${quarter}`]}`,
                ],
              ],
        ),
      ),
    );

  it(`returns the ledger’s amounts to the cent after random sales, refunds, clawbacks and failures (seed ${SEED})`, async () => {
    const dice = diceOf(SEED, 74);
    for (let round = 0; round < ROUNDS; round += 1) {
      await shop.sell(orderOf(round), await shop.visit(dice.pick(CODES)), {
        total: (dice.roll(90_000) + 100) / 100,
        currency: dice.pick(CURRENCIES),
      });
      await service.settled();
      if (dice.chance(0.2)) await shop.refundPart(orderOf(round), { refundId: `r-${round}`, amount: 0.5 });
      if (dice.chance(0.15)) await shop.refund(orderOf(dice.roll(round + 1)));
      await service.settled();
      if (!dice.chance(0.6)) continue;
      for (const run of await till.run()) {
        for (const { id } of await till.payoutsOf(run)) {
          if (dice.chance(0.7)) await till.tryPayout(id, 'mark-paid');
          if (dice.chance(0.2)) await till.tryPayout(id, 'mark-unpaid');
          if (dice.chance(0.2)) await till.tryPayout(id, 'mark-paid');
          if (dice.chance(0.15)) await till.tryPayout(id, 'fail', { reason: 'Account closed' });
          if (dice.chance(0.3)) await till.tryPayout(id, 'review', { resolution: 'claw-back', note: 'Returned' });
        }
      }
    }
    for (const { id } of await shop.get<{ id: number }[]>('/v1/payouts?review=flagged&perPage=100')) {
      await till.review(id, 'claw-back');
    }
    const { rows } = await service.database.query<{ year: number }>(
      `select distinct extract(year from paid_at at time zone 'UTC')::integer as year from payouts where paid_at is not null`,
    );
    assert.notEqual(rows.length, 0);
    for (const { year } of rows) {
      const exported = await rowsOf(year);
      assert.deepEqual(paidByExport(exported), await paidByLedger(year));
      for (const row of exported) {
        const sum = [1, 2, 3, 4].reduce((total, quarter) => total + minorIn(row[`paidQ${quarter}`]), 0n);
        assert.equal(minorIn(row['paid']), sum);
      }
    }
    // The sums of all years must equal the account `paid` of the balances.
    const whole = new Map<string, bigint>();
    for (const { year } of rows) {
      for (const row of await rowsOf(year)) {
        const key = `${row['collaboratorId']} ${row['currency']}`;
        whole.set(key, (whole.get(key) ?? 0n) + minorIn(row['paid']));
      }
    }
    for (const [code, id] of ids) {
      for (const { currency, paid } of await shop.get<{ currency: string; paid: number }[]>(
        `/v1/collaborators/${id}/balance`,
      )) {
        assert.equal(whole.get(`${id} ${currency}`) ?? 0n, BigInt(paid), `${code} in ${currency}`);
      }
    }
    assert.deepEqual((await verify(service.database)).breaches, []);
  });

  it('returns the unmasked tax details, and no executable cells', async () => {
    const id = await shop.collaborator('dot', { name: '=1+1' });
    await shop.change(`/v1/collaborators/${id}/tax-details`, { taxDetails: { ...TAX_DETAILS, city: '=Bonn' } });
    await shop.sell('formula', await shop.visit('dot'), { total: 10 });
    await service.settled();
    for (const run of await till.run({ currency: 'USD' })) {
      for (const payout of await till.payoutsOf(run)) await till.mark(payout.id, 'paid');
    }
    const year = new Date().getUTCFullYear();
    const row = (await rowsOf(year)).find(
      (each) => each['collaboratorId'] === String(id) && each['currency'] === 'USD',
    );
    const { firstName, tin, tinCountry, dateOfBirth } = row ?? {};
    assert.deepEqual([firstName, tin, tinCountry, dateOfBirth], ['Ada', '36574261809', 'DE', '1990-05-31']);
    assert.deepEqual([row?.['name'], row?.['city']], ["'=1+1", "'=Bonn"]);
    await shop.change(`/v1/collaborators/${id}/tax-details`, { taxDetails: null });
    const without = (await rowsOf(year)).find((each) => each['collaboratorId'] === String(id));
    assert.equal(without?.['tin'], '', 'the row stays without tax details');
  });

  it('counts a payout in the local year and quarter in which it was marked as paid', async () => {
    const { rows } = await service.database.query<{ id: number }>(
      'select id from payouts where paid_at is not null limit 1',
    );
    const id = rows[0]?.id;
    const at = async (time: string): Promise<string[]> => {
      await service.database.query('update payouts set paid_at = $2 where id = $1', [id, time]);
      const counts = async (year: number) =>
        Object.keys(paidByExport(await rowsOf(year))).map((key) => `${year} Q${key.at(-1)}`);
      return [...(await counts(2021)), ...(await counts(2022))];
    };
    assert.deepEqual(await at('2021-12-31T23:59:59.999Z'), ['2021 Q4']);
    assert.deepEqual(await at('2022-01-01T00:00:00Z'), ['2022 Q1']);
    assert.deepEqual(await at('2022-06-30T23:59:59.999Z'), ['2022 Q2']);
    await shop.change('/v1/organization', { timeZone: 'America/New_York' });
    assert.deepEqual(await at('2022-01-01T04:59:59.999Z'), ['2021 Q4']);
    assert.deepEqual(await at('2022-01-01T05:00:00Z'), ['2022 Q1']);
    assert.deepEqual(await at('2022-07-01T03:59:59.999Z'), ['2022 Q2']);
    await shop.change('/v1/organization', { timeZone: 'UTC' });
  });

  it('returns only the header for a year without payouts, and for an organization without payouts', async () => {
    assert.deepEqual(await rowsOf(2_005), []);
    const other = await download(new Date().getUTCFullYear(), await service.foundOrganization('Other'));
    assert.equal(readCsv(other.text).length, 1, 'only the header');
  });

  it('is recorded in the audit log with the year', async () => {
    await download(2_006);
    const [entry] = await shop.get<{ request: unknown }[]>('/v1/audit-entries?operation=exportPaidYear');
    assert.deepEqual(entry?.request, { year: 2_006 });
  });

  it('returns 422 for a year before 2000', async () => {
    assert.deepEqual(faultCodes(await download(1_999)), { '/year': 'out-of-range' });
  });

  it('returns 403 without the scope resources:write', async () => {
    const created = await service.request('POST', '/v1/api-keys', {
      key: service.secretKey,
      body: { label: 'Reader', scopes: ['resources:read'] },
    });
    const refused = await download(2_026, (created.body as { rawKey: string }).rawKey);
    assert.equal(problemCode(refused), 'scope-required');
  });
});
