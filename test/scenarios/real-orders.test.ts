// Reports the unchanged orders of a real shop, as the shop would report them. The results must match the oracle in
// test/oracle to the penny.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { z } from 'zod';
import type { conversion } from '#attribution/contract/conversion.ts';
import type { explanation } from '#attribution/contract/explanation.ts';
import type { obligation } from '#ledger/contract/obligation.ts';
import type { transaction } from '#sales/contract/transaction.ts';
import { verify } from '#verify/verify.ts';
import type { Fact, LineKind, Model, Refund, Reward, Sale, Terms, Touch } from '#test/oracle/facts.ts';
import { minorOf } from '#test/oracle/fraction.ts';
import { applyFacts } from '#test/oracle/oracle.ts';
import type { Outcome, World } from '#test/oracle/world.ts';
import { type Invoice, majorOf, readRetailOrders, sumOf } from '#test/support/retail-orders.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

const SOURCE = 'retail';
const LANES_AT_ONCE = 32;

const GOODS: readonly LineKind[] = ['product', 'discount'];
const ALL: readonly LineKind[] = ['product', 'shipping', 'fee', 'discount'];

type Program = {
  readonly name: string;
  readonly terms: Pick<
    Terms,
    'currency' | 'reward' | 'attribution' | 'countedLines' | 'triggers' | 'autoApprove' | 'approveAfterDays'
  >;
};
/** All sales are in GBP. Champions pays a percentage of them. Overseas pays nothing, because its amount is in EUR. */
const PROGRAMS: readonly Program[] = [
  program('Affiliates', 'GBP', { type: 'percent', percent: '7.1235' }, 'last-touch', GOODS, 1, true, null),
  program('Editors', 'GBP', { type: 'per-sale', amount: 1000 }, 'linear', GOODS, 1, false, null),
  program('Stylists', 'GBP', { type: 'per-product', amount: 3 }, 'first-touch', ['product'], 2, true, null),
  program('Supporters', 'GBP', { type: 'percent', percent: '2.5' }, 'weighted', ALL, 3, false, 14),
  program('Champions', 'EUR', { type: 'percent', percent: '0.0125' }, 'top-score', GOODS, 1, true, null),
  program('Overseas', 'EUR', { type: 'per-sale', amount: 500 }, 'last-touch', ['product'], 1, true, null),
];

function program(
  name: string,
  currency: string,
  reward: Reward,
  attribution: Model,
  countedLines: readonly LineKind[],
  points: number,
  autoApprove: boolean,
  approveAfterDays: number | null,
): Program {
  const triggers = { 'site-visit': points };
  return { name, terms: { currency, reward, attribution, countedLines, triggers, autoApprove, approveAfterDays } };
}

/** The possible outcomes if nothing expires, all collaborators are active and all programs pay for sales. */
const OUTCOMES = [
  'won',
  'lost-to-newer',
  'lost-to-older',
  'lost-to-higher',
  'share-is-zero',
  'self-referral',
  'currency-mismatch',
  'nothing-counted',
];

/** The user id of a customer in the file who is also the collaborator Ben. He earns nothing from his own orders. */
const CUSTOMER_WHO_EARNS = 17850;
const COLLABORATORS: readonly { readonly name: string; readonly userId?: number }[] = [
  { name: 'Ada' },
  { name: 'Ben', userId: CUSTOMER_WHO_EARNS },
  { name: 'Cleo' },
  { name: 'Dora' },
  { name: 'Emil' },
];

/** How a visitor browses: without a login, always with a login, or with changing browsers and household members. */
type Habit = 'browses' | 'signs in' | 'moves';
const HABITS: readonly Habit[] = ['browses', 'signs in', 'moves'];
/** The difference between the user ids of a customer and of another person who logs in with the same browser. */
const HOUSEHOLD = 100_000;

const { rows, invoices } = readRetailOrders();
const orders = invoices.filter(({ isCancellation }) => !isCancellation);
const cancellations = invoices.filter(({ isCancellation }) => isCancellation);
const refunds = cancellations.flatMap(refundOf);
/** Full refunds of some orders that were partly refunded before. They are reported after all other refunds. */
const returns = refunds
  .filter((_, index) => index % 3 === 0)
  .map(({ transaction }): Refund => ({ do: 'refund', transaction }));
const lanes = [...Map.groupBy(orders, ({ visitor }) => visitor).values()].map(storyOf);
const world = applyFacts([
  ...COLLABORATORS.map(({ name, ...user }): Fact => ({ do: 'collaborator', as: name, ...user })),
  ...PROGRAMS.map(({ name, terms }): Fact => ({ do: 'program', as: name, terms })),
  ...lanes.flat(),
  ...refunds,
  ...returns,
]);
const expected = expectationsOf(world);

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

  it('are read completely, including discounts, cancellations, and orders with a total of 0', () => {
    const lines = orders.flatMap(({ lines }) => lines);
    assert.deepEqual([rows.length, invoices.length, orders.length, lines.length], [10_000, 512, 469, 9_900]);
    assert.deepEqual(
      countBy(lines, ({ type }) => type),
      new Map(Object.entries({ product: 9_844, shipping: 25, discount: 30, fee: 1 })),
    );
    assert.equal(lines.filter(({ amount }) => Number(amount) === 0).length, 46, 'lines with a price of 0');
    assert.equal(orders.filter(({ lines }) => sumOf(lines) === 0n).length, 45, 'orders with a total of 0');
    assert.equal(orders.filter(({ userId }) => userId === undefined).length, 68, 'orders without a user id');
    // The other 36 cancellations are not reported, because no earlier order of the customer contains all their items.
    assert.deepEqual([cancellations.length, refunds.length, returns.length], [43, 7, 3]);
  });

  it('include every outcome, merged visitors and partial refunds, several times each', () => {
    const results = countBy([...expected.outcomes.values()].flat(), ({ reason = 'won' }) => reason);
    for (const result of OUTCOMES) assert.ok((results.get(result) ?? 0) >= 5, `${result}: ${results.get(result)}`);
    const merges = world.opportunities.filter(({ mergedInto }) => mergedInto !== null).length;
    assert.ok(merges >= 20, `${merges} merges`);
    const reduced = world.conversions.filter(
      ({ amount, awarded, status }) => amount < awarded && status !== 'rejected',
    );
    assert.ok(reduced.length >= 5, `${reduced.length} conversions were reduced by partial refunds`);
  });

  it('are assigned, like their visits, to the opportunities that the rules require', () => {
    const byNumber = new Map<string, number | undefined>();
    for (const [id, number] of numbers) {
      const opportunity = expected.opportunities.get(id);
      if (!byNumber.has(number)) byNumber.set(number, opportunity);
      assert.equal(byNumber.get(number), opportunity, `${id} was assigned to ${number}`);
    }
    assert.equal(byNumber.size, new Set(expected.opportunities.values()).size);
  });

  it('are stored line by line, once each, even if they were reported repeatedly', () => {
    assert.deepEqual(paid.transactions.map(transactionText).sort(), orders.map(orderText).sort());
  });

  it('pay every collaborator the exact amount that the rules require for each sale', () => {
    assert.deepEqual(paid.conversions.map(owedText).sort(), expected.conversions.map(owedText).sort());
    assert.deepEqual(paid.obligations.map(owedText).sort(), expected.obligations.map(owedText).sort());
  });

  it('pay each collaborator the sum that the rules require, in total and per program', () => {
    const isOwed = ({ status }: Owed): boolean => status !== 'rejected';
    for (const of of [
      ({ collaborator, currency }: Owed) => `${collaborator} ${currency}`,
      ({ collaborator, currency, program }: Owed) => `${program} ${collaborator} ${currency}`,
    ]) {
      assert.deepEqual(sumBy(paid.conversions.filter(isOwed), of), sumBy(expected.conversions.filter(isOwed), of));
    }
  });

  it('result in the required sum of obligations for each collaborator, currency and status', () => {
    const of = ({ collaborator, currency, status }: Owed): string => `${collaborator} ${currency} ${status}`;
    assert.deepEqual(sumBy(paid.obligations, of), sumBy(expected.obligations, of));
  });

  it('have explanations with every winner, amount and reason for a loss', () => {
    const explained = new Map(
      paid.explanations.map(({ order, outcomes }) => [order, outcomes.map(outcomeText).sort()]),
    );
    const computed = [...expected.outcomes].map(
      ([order, outcomes]) => [order, outcomes.map(outcomeText).sort()] as const,
    );
    assert.deepEqual(explained, new Map(computed));
  });

  it('keep every invariant of the database', async () => {
    const { checked, breaches } = await verify(service.database);
    assert.deepEqual(breaches, []);
    assert.ok(checked > 0);
  });
});

/**
 * Returns a list with the refund for a cancellation. A cancellation names no order, so it refunds the customer's latest
 * earlier order that contains all its stock codes. If there is no such order, the list is empty.
 */
function refundOf(cancellation: Invoice): Refund[] {
  const earlier = invoices.slice(0, invoices.indexOf(cancellation));
  const order = earlier.findLast(
    ({ isCancellation, visitor, codes }) =>
      !isCancellation && visitor === cancellation.visitor && cancellation.codes.isSubsetOf(codes),
  );
  if (order === undefined) return [];
  const items = cancellation.lines.map(({ externalId = '', quantity }) => ({ externalId, quantity }));
  return [{ do: 'refund', transaction: order.number, refundId: cancellation.number, items }];
}

type Visit = Touch & { readonly do: 'visit' };

/**
 * Returns a visitor's visits and orders. At least one visit precedes the first order. Every other refund directly
 * follows its order, so that it can be reported before the order is decided.
 */
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
        do: 'visit',
        as: `${visitor}, visit ${visits.length}`,
        // The customer who is also a collaborator uses his own link for about half of his visits.
        collaborator: userId === CUSTOMER_WHO_EARNS && roll(2) === 0 ? 'Ben' : pick(COLLABORATORS, roll).name,
        ...carried(habit, roll, visits.at(-1), userId),
      };
      visits.push(visit);
      fresh.push(visit);
    }
    // A visitor who moves may order with an older opportunity number, even of an opportunity that was merged since.
    const via = habit === 'moves' ? pick(visits, roll) : visits.at(-1);
    const sale: Sale = {
      do: 'sale',
      as: number,
      visit: via?.as ?? '',
      currency: 'GBP',
      total: majorOf(sumOf(lines)),
      lines,
    };
    return [...fresh, sale, ...refunds.filter(({ transaction }, index) => transaction === number && index % 2 === 0)];
  });
}

/** Returns how the service recognizes a visit: by the opportunity in the header, the user id, both, or neither. */
function carried(habit: Habit, roll: Dice, last?: Visit, userId?: number): Pick<Visit, 'presents' | 'userId'> {
  const header = last === undefined ? {} : { presents: last.as };
  if (habit === 'browses' || userId === undefined) return header;
  if (habit === 'signs in') return { userId };
  // A login with a header is listed twice to make it more likely, because such a login can merge two opportunities.
  const signedIn = { ...header, userId };
  return pick([{}, header, { userId }, signedIn, signedIn, { ...header, userId: userId + HOUSEHOLD }], roll);
}

type Dice = (sides: number) => number;

/** Returns a die whose rolls depend only on the seed. The rolls are derived from FNV-1a hashes. */
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

/** The ids that the service assigned to programs and collaborators, by name. */
type Known = { readonly programs: ReadonlyMap<string, number>; readonly collaborators: ReadonlyMap<string, number> };

async function setUp(shop: Shop): Promise<Known> {
  const programs = new Map<string, number>();
  const collaborators = new Map<string, number>();
  for (const { name, terms } of PROGRAMS) programs.set(name, await shop.program({ name, ...terms }));
  for (const { name, userId } of COLLABORATORS) collaborators.set(name, await shop.collaborator(name, { userId }));
  return { programs, collaborators };
}

/**
 * Reports many visitors' facts concurrently, and each visitor's facts in order. Some sales are sent twice concurrently,
 * and some are repeated with other JSON types. Returns the opportunity number of each visit and sale.
 */
async function report(service: TestService, { collaborators }: Known): Promise<Map<string, string>> {
  const { request, secretKey: key } = service;
  const numbers = new Map<string, string>();
  await atOnce(lanes, async (lane) => {
    for (const fact of lane) await reportFact(fact);
  });
  await service.settled();
  // All sales are decided now. Report every refund twice. About half of the refunds were not reported before.
  await atOnce([...refunds, ...refunds], reportFact);
  await service.settled();
  await atOnce([...returns, ...returns, ...refunds], reportFact);
  await service.settled();
  return numbers;

  async function reportFact(fact: Fact): Promise<void> {
    if (fact.do === 'visit') numbers.set(fact.as, await reportVisit(fact));
    else if (fact.do === 'sale') numbers.set(fact.as, await reportSale(fact));
    else if (fact.do === 'refund') await reportRefund(fact);
  }

  async function reportRefund({ transaction: externalId, refundId, items }: Refund): Promise<void> {
    await post('refund', { source: SOURCE, externalId, refundId, items });
  }

  async function reportVisit({ as, collaborator, presents, userId }: Visit): Promise<string> {
    const number = collaborators.get(collaborator) ?? 0;
    const references = [number, String(number), `tracking:${collaborator}`, `tracking:${collaborator.toUpperCase()}`];
    const headers = presents === undefined ? {} : { 'X-Service-OID': numbers.get(presents) ?? '' };
    return post('site-visited', { collaboratorId: pick(references, dice(as)), userId }, headers);
  }

  async function reportSale(sale: Sale): Promise<string> {
    const first = wholly(sale, numbers.get(sale.visit) ?? '');
    const habit = dice(sale.as)(4);
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

/** Returns the body of a sale's first report, with amounts as text. */
function wholly({ as, currency, total, lines }: Sale, trackingId: string): object {
  return { source: SOURCE, externalId: as, total, trackingId, currency, items: lines };
}

/** Returns a repeated report of a sale in careless JSON: numbers as text, text as numbers, and a float as the total. */
function loosely({ as, currency, lines = [] }: Sale, trackingId: string): object {
  return {
    source: SOURCE,
    externalId: Number(as),
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

/** A collaborator's earnings from a sale in a program: the facts of a conversion or of its obligation. */
type Owed = {
  readonly order: string;
  readonly program: string;
  readonly collaborator: string;
  readonly currency: string;
  readonly status: string;
  readonly pence: bigint;
};

function expectationsOf({ conversions, obligations, transactions, ledTo }: World) {
  const owed = ({ transaction, program, collaborator, currency }: World['conversions'][number]) => ({
    order: transaction.name,
    program,
    collaborator,
    currency,
  });
  return {
    conversions: conversions.map((one): Owed => ({ ...owed(one), status: one.status, pence: one.amount })),
    obligations: obligations.map(({ conversion, status, amount }): Owed => ({
      ...owed(conversion),
      status,
      pence: amount,
    })),
    outcomes: new Map([...transactions].map(([order, { explained }]) => [order, explained.outcomes])),
    /** The oracle's number of the opportunity that each visit and sale belonged to when it was reported. */
    opportunities: new Map([
      ...[...ledTo].map(([visit, { born }]) => [visit, born] as const),
      ...[...transactions].map(([order, { opportunity }]) => [order, opportunity.born] as const),
    ]),
  };
}

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

  function outcome(explained: Explanation['candidates'][number]): Outcome {
    const { programId, collaboratorId, outcome, reason, share = 0 } = explained;
    return {
      ...(programId === undefined ? {} : { program: programs.get(programId) ?? '' }),
      collaborator: collaborators.get(collaboratorId) ?? '',
      outcome,
      ...(reason === undefined ? {} : { reason }),
      share: BigInt(share),
    };
  }

  /** Reads all pages of a list, up to the first page that is not full. */
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

function outcomeText({ program = 'no program', collaborator, reason, share }: Outcome): string {
  return `${program} ${collaborator} ${reason ?? 'won'} ${share}`;
}

function transactionText({ source, externalId, total, refundedAmount, currency, status, lines }: Transaction): string {
  const texts = lines.map((line) => [line.externalId, line.name, line.type, line.quantity, line.amount].join(' '));
  return [source, externalId, total, refundedAmount, currency, status, ...texts].join('\n');
}

function orderText({ number, lines }: Invoice): string {
  const { total, refundedAmount, status } = world.transactions.get(number)!;
  const texts = lines.map((line) =>
    [line.externalId, line.name, line.type, line.quantity, minorOf(line.amount ?? '0')].join(' '),
  );
  return [SOURCE, number, total, refundedAmount, 'GBP', status, ...texts].join('\n');
}

function countBy<Item>(items: readonly Item[], of: (item: Item) => string): Map<string, number> {
  return new Map([...Map.groupBy(items, of)].map(([key, group]) => [key, group.length]));
}

function sumBy(items: readonly Owed[], of: (owed: Owed) => string): Map<string, bigint> {
  const groups = [...Map.groupBy(items, of)];
  return new Map(groups.map(([key, group]) => [key, group.reduce((sum, { pence }) => sum + pence, 0n)]));
}
