// The orders of a real shop, as they stand, replayed as a shop would report them. What the service pays is compared
// with independent-commissions.ts, pound for pound.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { z } from 'zod';
import type { conversion } from '#contract/conversion.ts';
import type { explanation } from '#contract/explanation.ts';
import type { obligation } from '#contract/obligation.ts';
import type { transaction } from '#contract/transaction.ts';
import { verify } from '#store/verify.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import {
  type Collaborator,
  commissions,
  type DecidedSale,
  type Fact,
  type Line,
  type LineKind,
  type Outcome,
  OUTCOMES,
  type Owed,
  penceOf,
  type Program,
  type Refund,
  type Sale,
  sum,
  type Visit,
} from './independent-commissions.ts';

const SOURCE = 'retail';
const LANES_AT_ONCE = 32;

const GOODS: readonly LineKind[] = ['product', 'discount'];
const ALL: readonly LineKind[] = ['product', 'shipping', 'fee', 'discount'];

/** Champions: a percentage pays in the sale's currency, whatever its program's is. Overseas: a fixed amount does not. */
const PROGRAMS: readonly (Program & { readonly approveAfterDays: number | null })[] = (
  [
    ['Affiliates', 'GBP', { type: 'percent', percent: '7.1235' }, 'last-touch', GOODS, 1, true, null],
    ['Editors', 'GBP', { type: 'per-sale', pence: 1000 }, 'linear', GOODS, 1, false, null],
    ['Stylists', 'GBP', { type: 'per-product', pence: 3 }, 'first-touch', ['product'], 2, true, null],
    ['Supporters', 'GBP', { type: 'percent', percent: '2.5' }, 'weighted', ALL, 3, false, 14],
    ['Champions', 'EUR', { type: 'percent', percent: '0.0125' }, 'top-score', GOODS, 1, true, null],
    ['Overseas', 'EUR', { type: 'per-sale', pence: 500 }, 'last-touch', ['product'], 1, true, null],
  ] as const
).map(([name, currency, reward, attribution, countedLines, points, autoApprove, approveAfterDays]) => ({
  name,
  currency,
  reward,
  attribution,
  countedLines,
  points,
  autoApprove,
  approveAfterDays,
}));

/** A customer of the file who also earns, but not with orders of his own. */
const CUSTOMER_WHO_EARNS = 17850;
const COLLABORATORS: readonly Collaborator[] = [
  { name: 'Ada' },
  { name: 'Ben', userId: CUSTOMER_WHO_EARNS },
  { name: 'Cleo' },
  { name: 'Dora' },
  { name: 'Emil' },
];

/** What is no product, by its stock code. */
const KINDS: Record<string, LineKind> = { POST: 'shipping', DOT: 'shipping', C2: 'shipping', 'BANK CHARGES': 'fee' };

/** Keeps one browser, always signs in (an app), or moves: between browsers, devices, and the people of a household. */
type Habit = 'browses' | 'signs in' | 'moves';
const HABITS: readonly Habit[] = ['browses', 'signs in', 'moves'];
/** Added to a customer's number: somebody else who signs in on the same browser. */
const HOUSEHOLD = 100_000;

const rows = readRows();
const invoices = readInvoices(rows);
const orders = invoices.filter(({ isCancellation }) => !isCancellation);
const cancellations = invoices.filter(({ isCancellation }) => isCancellation);
const refunds = cancellations.flatMap(refundOf);
const lanes = [...Map.groupBy(orders, ({ visitor }) => visitor).values()].map(storyOf);
const expected = commissions(PROGRAMS, COLLABORATORS, [...lanes.flat(), ...refunds]);

describe('the orders of a real shop', { timeout: 60_000 }, () => {
  let service: TestService;
  let numbers: ReadonlyMap<string, string>;
  let paid: Paid;

  before(async () => {
    service = await startService();
    const shop = openShop(service);
    const known = await setUp(shop);
    numbers = await report(service, known);
    paid = await readPaid(shop, known);
  });
  after(() => service.stop());

  it('are read whole, with their oddities', () => {
    const lines = orders.flatMap(({ lines }) => lines);
    assert.deepEqual([rows.length, invoices.length, orders.length, lines.length], [10_000, 512, 469, 9_900]);
    assert.deepEqual(
      countBy(lines, ({ type }) => type),
      new Map(Object.entries({ product: 9_844, shipping: 25, discount: 30, fee: 1 })),
    );
    assert.equal(lines.filter(({ amount }) => Number(amount) === 0).length, 46, 'lines at no price');
    assert.equal(orders.filter(({ lines }) => sum(lines) === 0n).length, 45, 'orders worth nothing');
    assert.equal(orders.filter(({ userId }) => userId === undefined).length, 68, 'orders of nobody known');
    // For the other 36 no earlier order of their customer holds all that they take back: they are left out.
    assert.deepEqual([cancellations.length, refunds.length], [43, 7]);
  });

  it('are told as a story in which visitors move, split shares have rests, and some earn nothing', () => {
    const outcomes = [...expected.sales.values()].flatMap(({ outcomes }) => outcomes);
    const results = countBy(outcomes, ({ result }) => result);
    for (const result of OUTCOMES) assert.ok((results.get(result) ?? 0) >= 5, `${result}: ${results.get(result)}`);
    assert.ok(expected.merges >= 20, `${expected.merges} merges`);
  });

  it('lead every visit and every sale to the same visitor as the rules do', () => {
    const byNumber = new Map<string, number | undefined>();
    for (const [id, number] of numbers) {
      const opportunity = expected.opportunities.get(id);
      if (!byNumber.has(number)) byNumber.set(number, opportunity);
      assert.equal(byNumber.get(number), opportunity, `${id} was led to ${number}`);
    }
    assert.equal(byNumber.size, new Set(expected.opportunities.values()).size);
  });

  it('are stored line by line, each once, however often they were reported', () => {
    assert.deepEqual(
      paid.transactions.map(transactionText).sort(),
      orders.map((order) => orderText(order, expected.sales.get(order.number))).sort(),
    );
  });

  it('pay every collaborator, sale by sale, what the rules say', () => {
    assert.deepEqual(paid.conversions.map(owedText).sort(), expected.conversions.map(owedText).sort());
    assert.deepEqual(paid.obligations.map(owedText).sort(), expected.obligations.map(owedText).sort());
  });

  it('pay each collaborator the same sum, in all and in each program', () => {
    const isOwed = ({ status }: Owed): boolean => status !== 'rejected';
    for (const of of [
      ({ collaborator, currency }: Owed) => `${collaborator} ${currency}`,
      ({ collaborator, currency, program }: Owed) => `${program} ${collaborator} ${currency}`,
    ]) {
      assert.deepEqual(sumBy(paid.conversions.filter(isOwed), of), sumBy(expected.conversions.filter(isOwed), of));
    }
  });

  it('leave each collaborator with the same money in each state', () => {
    const of = ({ collaborator, currency, status }: Owed): string => `${collaborator} ${currency} ${status}`;
    assert.deepEqual(sumBy(paid.obligations, of), sumBy(expected.obligations, of));
  });

  it('are explained: who won how much, who lost and why', () => {
    const told = new Map(paid.explanations.map(({ order, outcomes }) => [order, outcomes.map(outcomeText).sort()]));
    const computed = [...expected.sales.values()].map(
      ({ order, outcomes }) => [order, outcomes.map(outcomeText).sort()] as const,
    );
    assert.deepEqual(told, new Map(computed));
  });

  it('break no rule of the database', async () => {
    const { checked, breaches } = await verify(service.database);
    assert.deepEqual(breaches, []);
    assert.ok(checked > 0);
  });
});

// --- the file ---------------------------------------------------------------------------------------------------------

type Row = Readonly<Record<string, string>>;
type Invoice = {
  readonly number: string;
  readonly isCancellation: boolean;
  readonly userId: number | undefined;
  /** The customer; an invoice without one is a visitor of its own. */
  readonly visitor: string;
  readonly codes: ReadonlySet<string>;
  readonly lines: readonly Line[];
};

function readRows(): Row[] {
  const file = gunzipSync(readFileSync(new URL('../fixtures/orders.csv.gz', import.meta.url)));
  const [names = [], ...records] = parseCsv(file.toString('utf8'));
  return records.map((record) => {
    assert.equal(record.length, names.length, record.join());
    return Object.fromEntries(names.map((name, index) => [name, record[index] ?? '']));
  });
}

/** RFC 4180: a quoted field may hold commas and line ends, and doubled quotes for one. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/g)) {
    record.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}

/** In the order of the file, which is that of time. */
function readInvoices(rows: readonly Row[]): Invoice[] {
  const groups = Map.groupBy(rows, ({ InvoiceNo = '' }) => InvoiceNo);
  return [...groups].map(([number, rows]) => {
    const customer = rows[0]?.['CustomerID'] ?? '';
    return {
      number,
      isCancellation: number.startsWith('C'),
      userId: customer === '' ? undefined : Number(customer),
      visitor: customer === '' ? `visitor of ${number}` : `customer ${Number(customer)}`,
      codes: new Set(rows.map(({ StockCode = '' }) => StockCode)),
      lines: rows.map(readLine),
    };
  });
}

/** The price keeps its digits. What was taken back within an order (a negative quantity) is a discount. */
function readLine({ StockCode = '', Description = '', Quantity = '', UnitPrice = '' }: Row): Line {
  const quantity = Number(Quantity);
  return {
    externalId: StockCode,
    name: Description.trim() === '' ? `Item ${StockCode}` : Description,
    type: quantity < 0 ? 'discount' : (KINDS[StockCode] ?? 'product'),
    quantity: Math.abs(quantity),
    amount: quantity < 0 ? `-${UnitPrice}` : UnitPrice,
  };
}

/** A cancellation names no order: it undoes the customer's newest earlier one that holds all its stock codes, if any. */
function refundOf(cancellation: Invoice): Refund[] {
  const earlier = invoices.slice(0, invoices.indexOf(cancellation));
  const order = earlier.findLast(
    ({ isCancellation, visitor, codes }) =>
      !isCancellation && visitor === cancellation.visitor && cancellation.codes.isSubsetOf(codes),
  );
  return order === undefined ? [] : [{ kind: 'refund', order: order.number }];
}

// --- the story --------------------------------------------------------------------------------------------------------

/** A visitor's orders, each after some visits, and every other refund right after its order: the pipeline may be behind. */
function storyOf(orders: readonly Invoice[]): Fact[] {
  const { visitor = '', userId } = orders[0] ?? {};
  const roll = dice(visitor);
  const habit = userId === undefined ? 'browses' : userId === CUSTOMER_WHO_EARNS ? 'moves' : pick(HABITS, roll);
  const visits: Visit[] = [];
  return orders.flatMap(({ number, lines }, n): Fact[] => {
    const fresh: Visit[] = [];
    const atFirst = habit === 'moves' ? 4 : 1;
    for (let left = n === 0 ? atFirst + roll(3) : roll(3); left > 0; left -= 1) {
      const visit: Visit = {
        kind: 'visit',
        id: `${visitor}, visit ${visits.length}`,
        // Who earns and orders comes by his own link every other time.
        collaborator: userId === CUSTOMER_WHO_EARNS && roll(2) === 0 ? 'Ben' : pick(COLLABORATORS, roll).name,
        ...carried(habit, roll, visits.at(-1), userId),
      };
      visits.push(visit);
      fresh.push(visit);
    }
    // Who moves may order by an older number, also of an opportunity that was merged since.
    const via = habit === 'moves' ? pick(visits, roll) : visits.at(-1);
    const sale: Sale = { kind: 'sale', order: number, visit: via?.id ?? '', currency: 'GBP', lines };
    return [...fresh, sale, ...refunds.filter((refund, index) => refund.order === number && index % 2 === 0)];
  });
}

/** How a visit is recognized: by its header, by its user, by both, or not. */
function carried(habit: Habit, roll: Dice, last?: Visit, userId?: number): Pick<Visit, 'presents' | 'userId'> {
  const header = last === undefined ? {} : { presents: last.id };
  if (habit === 'browses' || userId === undefined) return header;
  if (habit === 'signs in') return { userId };
  // To sign in comes twice: after a visit on a new browser or another device it merges what the visitor left there.
  const signedIn = { ...header, userId };
  return pick([{}, header, { userId }, signedIn, signedIn, { ...header, userId: userId + HOUSEHOLD }], roll);
}

type Dice = (sides: number) => number;

/** The same rolls for the same seed, in every run (FNV-1a). */
function dice(seed: string): Dice {
  let rolls = 0;
  return (sides) => {
    rolls += 1;
    let hash = 2_166_136_261;
    for (const character of `${seed} ${rolls}`) {
      hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
    }
    return (hash >>> 8) % sides;
  };
}

function pick<Value>(values: readonly Value[], roll: Dice): Value {
  return values[roll(values.length)] as Value;
}

// --- the shop ---------------------------------------------------------------------------------------------------------

/** Names to the ids that the service gave. */
type Known = { readonly programs: ReadonlyMap<string, number>; readonly collaborators: ReadonlyMap<string, number> };

async function setUp(shop: Shop): Promise<Known> {
  const programs = new Map<string, number>();
  const collaborators = new Map<string, number>();
  for (const { reward: of, points, ...terms } of PROGRAMS) {
    const { type } = of;
    const reward = type === 'percent' ? { type, percent: Number(of.percent) } : { type, amount: of.pence };
    const change = { ...terms, reward, triggers: { 'site-visit': points } };
    programs.set(terms.name, await shop.program(change));
  }
  for (const { name, userId } of COLLABORATORS) collaborators.set(name, await shop.collaborator(name, { userId }));
  return { programs, collaborators };
}

/**
 * Reports the story, many visitors at once and each in its order; some sales twice at the same moment, some again later.
 * Answers the opportunity's number that each visit and each sale got.
 */
async function report(service: TestService, { collaborators }: Known): Promise<Map<string, string>> {
  const { request, secretKey: key } = service;
  const numbers = new Map<string, string>();
  await atOnce(lanes, async (lane) => {
    for (const fact of lane) await reportFact(fact);
  });
  await service.settled();
  // The refunds that the visitors' own stories left out come now, when their sales are long decided; and all once more.
  await atOnce([...refunds, ...refunds], reportFact);
  await service.settled();
  return numbers;

  async function reportFact(fact: Fact): Promise<void> {
    if (fact.kind === 'visit') numbers.set(fact.id, await reportVisit(fact));
    else if (fact.kind === 'sale') numbers.set(fact.order, await reportSale(fact));
    else await post('refund', { source: SOURCE, externalId: fact.order });
  }

  async function reportVisit({ id, collaborator, presents, userId }: Visit): Promise<string> {
    const number = collaborators.get(collaborator) ?? 0;
    const references = [number, String(number), `tracking:${collaborator}`, `tracking:${collaborator.toUpperCase()}`];
    const headers = presents === undefined ? {} : { 'X-Service-OID': numbers.get(presents) ?? '' };
    return post('site-visited', { collaboratorId: pick(references, dice(id)), userId }, headers);
  }

  async function reportSale(sale: Sale): Promise<string> {
    const first = wholly(sale, numbers.get(sale.visit) ?? '');
    const habit = dice(sale.order)(4);
    if (habit === 0) {
      const [one, other] = await Promise.all([post('sale', first), post('sale', first)]);
      assert.equal(other, one);
      return one;
    }
    const number = await post('sale', first);
    if (habit === 1) assert.equal(await post('sale', loosely(sale, number)), number);
    return number;
  }

  async function post(operation: string, body: object, headers: Record<string, string> = {}): Promise<string> {
    const answer = await request('POST', `/v1/event/${operation}`, { key, body, headers });
    assert.equal(answer.status, 200, JSON.stringify([body, answer.body]).slice(0, 1_000));
    return answer.headers.get('x-service-oid') ?? '';
  }
}

/** A sale as its shop reports it at first: amounts as text. */
function wholly({ order, currency, lines }: Sale, trackingId: string): object {
  const pence = String(sum(lines)).padStart(3, '0');
  const total = `${pence.slice(0, -2)}.${pence.slice(-2)}`;
  return { source: SOURCE, externalId: order, total, trackingId, currency, items: lines };
}

/** The same sale as a careless client says it: a total added up in floating point, numbers for text and text for numbers. */
function loosely({ order, currency, lines }: Sale, trackingId: string): object {
  return {
    source: SOURCE,
    externalId: Number(order),
    total: lines.reduce((total, { amount, quantity }) => total + Number(amount) * quantity, 0),
    trackingId: Number(trackingId),
    currency: currency.toLowerCase(),
    items: lines.map((line) => ({ ...line, amount: Number(line.amount), quantity: String(line.quantity) })),
  };
}

async function atOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: LANES_AT_ONCE }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}

// --- what came of it --------------------------------------------------------------------------------------------------

type Paid = {
  readonly transactions: readonly Transaction[];
  readonly conversions: readonly Owed[];
  readonly obligations: readonly Owed[];
  readonly explanations: readonly { readonly order: string; readonly outcomes: readonly Outcome[] }[];
};
type Transaction = z.output<typeof transaction>;
type Conversion = z.output<typeof conversion>;
type Obligation = z.output<typeof obligation>;
type Explanation = z.output<typeof explanation>;

async function readPaid({ get }: Shop, known: Known): Promise<Paid> {
  const programs = new Map([...known.programs].map(([name, id]) => [id, name]));
  const collaborators = new Map([...known.collaborators].map(([name, id]) => [id, name]));
  const transactions = await all<Transaction>('/v1/transactions');
  const conversions = await all<Conversion>('/v1/conversions');
  const obligations = await all<Obligation>('/v1/obligations');
  const orderOf = new Map(transactions.map(({ id, externalId }) => [id, externalId]));
  const byId = new Map(conversions.map((conversion) => [conversion.id, conversion]));
  assert.deepEqual(
    obligations.map(({ id, conversionId }) => `${conversionId} ${id}`).sort(),
    conversions.map(({ id, obligationId }) => `${id} ${obligationId}`).sort(),
  );
  const explanations: { order: string; outcomes: Outcome[] }[] = [];
  await atOnce(transactions, async ({ id, externalId: order }) => {
    const { omitted, candidates } = await get<Explanation>(`/v1/transactions/${id}/explanation`);
    assert.equal(omitted, 0);
    explanations.push({ order, outcomes: candidates.map(outcome) });
  });
  return {
    transactions,
    conversions: conversions.map((one) => owed(one, one)),
    obligations: obligations.map((one) => owed(one, byId.get(one.conversionId))),
    explanations,
  };

  function owed({ collaboratorId, currency, status, amount }: Conversion | Obligation, of?: Conversion): Owed {
    return {
      order: orderOf.get(of?.transactionId ?? 0) ?? '',
      program: programs.get(of?.programId ?? 0) ?? '',
      collaborator: collaborators.get(collaboratorId) ?? '',
      currency,
      status,
      pence: BigInt(amount),
    };
  }

  function outcome({ programId, collaboratorId, reason, share }: Explanation['candidates'][number]): Outcome {
    return {
      ...(programId === undefined ? {} : { program: programs.get(programId) ?? '' }),
      collaborator: collaborators.get(collaboratorId) ?? '',
      pence: BigInt(share ?? 0),
      result: (reason ?? 'won') as Outcome['result'],
    };
  }

  /** Every page, until one is not full. */
  async function all<Row extends { id: number }>(path: string): Promise<Row[]> {
    const rows: Row[] = [];
    for (let page = 1; rows.length === (page - 1) * 100; page += 1) {
      rows.push(...(await get<Row[]>(`${path}?page=${page}&perPage=100&sort=id`)));
    }
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
    return rows;
  }
}

function owedText({ order, program, collaborator, currency, status, pence }: Owed): string {
  return `${order} ${program} ${collaborator} ${pence} ${currency} ${status}`;
}

function outcomeText({ program = 'no program', collaborator, pence, result }: Outcome): string {
  return `${program} ${collaborator} ${result} ${pence}`;
}

function transactionText({ source, externalId, total, refundedAmount, currency, status, lines }: Transaction): string {
  const texts = lines.map((line) => [line.externalId, line.name, line.type, line.quantity, line.amount].join(' '));
  return [source, externalId, total, refundedAmount, currency, status, ...texts].join('\n');
}

function orderText({ number, lines }: Invoice, sale: DecidedSale | undefined): string {
  const { pence = 0n, refunded = false } = sale ?? {};
  const texts = lines.map((line) =>
    [line.externalId, line.name, line.type, line.quantity, penceOf(line.amount)].join(' '),
  );
  const state = [refunded ? pence : 0n, 'GBP', refunded ? 'refunded' : 'complete'];
  return [SOURCE, number, pence, ...state, ...texts].join('\n');
}

function countBy<Item>(items: readonly Item[], of: (item: Item) => string): Map<string, number> {
  return new Map([...Map.groupBy(items, of)].map(([key, group]) => [key, group.length]));
}

function sumBy(items: readonly Owed[], of: (owed: Owed) => string): Map<string, bigint> {
  const groups = [...Map.groupBy(items, of)];
  return new Map(groups.map(([key, group]) => [key, group.reduce((sum, { pence }) => sum + pence, 0n)]));
}
