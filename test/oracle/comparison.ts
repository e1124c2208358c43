import assert from 'node:assert/strict';
import type { z } from 'zod';
import type { conversion } from '#attribution/contract/conversion.ts';
import type { explanation } from '#attribution/contract/explanation.ts';
import type { fulfillment } from '#payouts/contract/fulfillment.ts';
import type { obligation } from '#ledger/contract/obligation.ts';
import type { payout } from '#payouts/contract/payout.ts';
import { isHeld } from './holds.ts';
import { bindingOf, type Merchant } from './merchant.ts';
import { amountOf, balancesOf, isFlagged, obligationsIn } from './money.ts';
import { survivor } from './visitors.ts';
import type { World } from './world.ts';

/* Formats the state of the oracle and of the API as lines of text, so that differences are easy to read. */

type Lines = Record<string, string[]>;

/** Returns the differing lines: `-` for the oracle's lines and `+` for the service's lines. Empty if they agree. */
export async function differences(merchant: Merchant, world: World, how: 'money' | 'all'): Promise<string[]> {
  const names = await readNames(merchant, world);
  const shown: Lines = { ...(await shownMoney(merchant, names)) };
  const expected: Lines = { ...expectedMoney(world) };
  if (how === 'all') {
    Object.assign(shown, await shownDecisions(merchant, names));
    Object.assign(expected, expectedDecisions(world));
  }
  return Object.keys(expected).flatMap((part) => differ(part, once(expected[part] ?? []), once(shown[part] ?? [])));
}

/**
 * Returns the lines without repeated losing outcomes, because the service can list several engagements of one claim
 * separately.
 */
function once(lines: readonly string[]): string[] {
  const listed = new Set<string>();
  return lines.filter((line) => !line.includes(' lost ') || (!listed.has(line) && listed.add(line)));
}

function differ(part: string, expected: readonly string[], shown: readonly string[]): string[] {
  const rest = [...shown];
  const missing = expected.filter((line) => {
    const index = rest.indexOf(line);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
  return [...missing.map((line) => `- ${part}: ${line}`), ...rest.map((line) => `+ ${part}: ${line}`)];
}

function expectedMoney(world: World): Lines {
  return {
    conversions: world.conversions.map((one) =>
      text(one.key, one.awarded, one.amount, one.currency, one.status, isHeld(one) ? 'held' : '', one.holds.join()),
    ),
    // Compare sums, because a refund and its reversal create more obligations if the sale was already decided.
    obligations: summed(
      world.obligations
        .filter(({ status }) => status !== 'rejected')
        .map(({ conversion, isClawBack, amount, status, payout }) => [
          text(conversion.key, isClawBack ? 'back' : 'owed', status, payout?.key ?? ''),
          amount,
        ]),
    ),
    payouts: world.payouts.map((payout) => {
      const amount = payout.status === 'void' ? 0n : amountOf(world, payout);
      const flags = summed(payout.flags.map((flag) => [flagText(flag.conversion.key, flag.resolution), flag.amount]));
      return text(payout.key, amount, payout.status, isFlagged(payout) ? 'flagged' : '', ...flags);
    }),
    runs: [...world.runs.values()].map((run) => {
      const payouts = world.payouts.filter((one) => one.run === run);
      const amount = payouts.reduce((sum, payout) => sum + amountOf(world, payout), 0n);
      return text(run.key, run.status, amount, payouts.length);
    }),
    'payout contents': summed(
      world.payouts.flatMap((payout) =>
        obligationsIn(world, payout).map(
          ({ conversion, amount }) => [text(payout.key, conversion.key), amount] as const,
        ),
      ),
    ),
  };
}

function expectedDecisions(world: World): Lines {
  const transactions = [...new Set(world.transactions.values())];
  return {
    transactions: transactions.map(({ name, kind, total, refundedAmount, currency, status }) =>
      text(name, kind, total, refundedAmount, currency, status),
    ),
    explanations: transactions.flatMap(({ name, explained: { reason, outcomes } }) => [
      text(name, reason ?? 'decided'),
      ...outcomes.map((one) =>
        text(name, one.program ?? '', one.collaborator, one.outcome, one.reason ?? '', one.share),
      ),
    ]),
    balances: [...world.collaborators.keys()].flatMap((name) =>
      balancesOf(world, name).map(({ currency, balance, draft, pending, inPayout, paid }) =>
        text(name, currency, balance, draft, pending, inPayout, paid),
      ),
    ),
    opportunities: [
      text(new Set(world.ledTo.values()).size, 'numbers'),
      ...[...world.ledTo].map(([visit, opportunity]) => text(visit, opportunity.born)),
    ],
    visitors: world.opportunities
      .filter(({ end }) => end !== 'removed')
      .map(({ born, end, mergedInto, userId }) =>
        mergedInto === null ? text(born, end ?? 'active', nameOf(userId)) : text(born, 'merged'),
      ),
    engagements: summed(
      world.engagements
        .filter(({ isAbsorbed }) => !isAbsorbed)
        .map(({ opportunity, program, collaborator, touches, completedBy }) => [
          text(survivor(opportunity).born, program, collaborator, completedBy === null ? 'active' : 'complete'),
          touches.reduce((sum, { points }) => sum + BigInt(points), 0n),
        ]),
    ),
  };
}

/**
 * Returns a line for each name with the sum of its amounts. Sums are compared because the service may list several
 * active engagements of one claim, and several flags of refunds that were processed together.
 */
function summed(amounts: readonly (readonly [name: string, amount: bigint])[]): string[] {
  return [...Map.groupBy(amounts, ([name]) => name)]
    .map(([name, all]) =>
      text(
        name,
        all.reduce((sum, [, amount]) => sum + amount, 0n),
      ),
    )
    .sort();
}

/**
 * Returns the name of a visitor with the given user id. The name of a visitor without a user id, and of an erased
 * visitor, is empty.
 */
function nameOf(userId: number | null): string {
  return userId === null || userId < 0 ? '' : `user ${userId}`;
}

function flagText(conversion: string, resolution: string | null): string {
  return text(conversion, resolution ?? 'open');
}

type Names = {
  readonly programs: ReadonlyMap<number, string>;
  readonly collaborators: ReadonlyMap<number, string>;
  readonly transactions: ReadonlyMap<number, string>;
  readonly runs: ReadonlyMap<number, string>;
  /**
   * The opportunity that each tracking id was issued for. Opportunities are numbered in the order of their creation.
   */
  readonly opportunities: ReadonlyMap<string, number>;
  /** The number of the opportunity that each tracking id belongs to after all merges. */
  readonly survivors: ReadonlyMap<string, number>;
};

async function readNames(merchant: Merchant, world: World): Promise<Names> {
  const transactions = await all<Listed>(merchant, '/v1/transactions');
  const bindings = new Map<string, string>();
  for (const { name } of world.transactions.values())
    bindings.set(text(...Object.values(bindingOf(merchant, name))), name);
  return {
    programs: turned(merchant.programs),
    collaborators: turned(merchant.collaborators),
    runs: turned(merchant.runs),
    transactions: new Map(
      transactions.map((one) => [one.id, bindings.get(text(one.source, one.externalId)) ?? `transaction ${one.id}`]),
    ),
    opportunities: new Map([...world.ledTo].map(([visit, { born }]) => [merchant.numbers.get(visit) ?? '', born])),
    survivors: new Map([...world.ledTo].map(([visit, one]) => [merchant.numbers.get(visit) ?? '', survivor(one).born])),
  };
}

function turned(ids: ReadonlyMap<string, number>): Map<number, string> {
  return new Map([...ids].map(([name, id]) => [id, name]));
}

type Conversion = z.output<typeof conversion>;
type Obligation = z.output<typeof obligation>;
type Payout = z.output<typeof payout>;
type Fulfillment = z.output<typeof fulfillment>;
type Explanation = z.output<typeof explanation>;
type Listed = {
  id: number;
  type: string;
  source: string;
  externalId: string;
  total: number;
  refundedAmount: number;
  currency: string;
  status: string;
};
type Opportunity = { id: number; status: string; userId: number | null };
type Engagement = {
  opportunityId: number;
  programId: number;
  collaboratorId: number;
  status: string;
  score: number;
};

async function shownMoney(merchant: Merchant, names: Names): Promise<Lines> {
  const [conversions, obligations, payouts, runs] = await Promise.all([
    all<Conversion>(merchant, '/v1/conversions'),
    all<Obligation>(merchant, '/v1/obligations'),
    all<Payout>(merchant, '/v1/payouts'),
    all<Fulfillment>(merchant, '/v1/fulfillments'),
  ]);
  const conversionKeys = new Map(conversions.map((one) => [one.id, conversionKey(names, one)]));
  const payoutKeys = new Map(payouts.map((one) => [one.id, payoutKey(names, one)]));
  const keyOf = (id: number): string => conversionKeys.get(id) ?? `conversion ${id}`;
  return {
    conversions: conversions.map(({ id, awarded, amount, currency, status, review, holdReasons = [] }) =>
      text(
        keyOf(id),
        awarded,
        amount,
        currency,
        status,
        review === 'held' ? 'held' : '',
        holdReasons.toSorted().join(),
      ),
    ),
    obligations: summed(
      obligations
        .filter(({ status }) => status !== 'rejected')
        .map(({ conversionId, amount, status, payoutId }) => [
          text(
            keyOf(conversionId),
            amount < 0 ? 'back' : 'owed',
            status,
            payoutId === null ? '' : (payoutKeys.get(payoutId) ?? ''),
          ),
          BigInt(amount),
        ]),
    ),
    payouts: payouts.map(({ id, amount, status, review }) => {
      const flags = summed(
        review.reasons.flatMap((flag) =>
          flag.resolution === 'withdrawn'
            ? []
            : [[flagText(keyOf(flag.conversionId), flag.resolution ?? null), BigInt(flag.amount)] as const],
        ),
      );
      return text(payoutKeys.get(id) ?? '', amount, status, review.state === 'flagged' ? 'flagged' : '', ...flags);
    }),
    runs: runs.map(({ id, status, amount, payouts }) =>
      text(names.runs.get(id) ?? `run ${id}`, status, amount, payouts),
    ),
    'payout contents': summed(
      obligations
        .filter(({ payoutId }) => payoutId !== null)
        .map(({ conversionId, payoutId, amount }) => [
          text(payoutKeys.get(payoutId ?? 0) ?? '', keyOf(conversionId)),
          BigInt(amount),
        ]),
    ),
  };
}

function conversionKey(names: Names, { transactionId, programId, collaboratorId, type }: Conversion): string {
  const transaction = names.transactions.get(transactionId);
  return [transaction, names.programs.get(programId), names.collaborators.get(collaboratorId), type].join('/');
}

function payoutKey(names: Names, { fulfillmentId, collaboratorId }: Payout): string {
  return `${names.runs.get(fulfillmentId)}/${names.collaborators.get(collaboratorId)}`;
}

async function shownDecisions(merchant: Merchant, names: Names): Promise<Lines> {
  const transactions = await all<Listed>(merchant, '/v1/transactions');
  const explanations: string[] = [];
  for (const [id, name] of names.transactions) {
    const { reason, candidates } = await get<Explanation>(merchant, `/v1/transactions/${id}/explanation`);
    explanations.push(text(name, reason ?? 'decided'));
    for (const one of candidates) {
      const program = one.programId === undefined ? '' : names.programs.get(one.programId);
      const collaborator = names.collaborators.get(one.collaboratorId);
      explanations.push(text(name, program, collaborator, one.outcome, one.reason ?? '', one.share ?? 0));
    }
  }
  const balances: string[] = [];
  for (const [id, name] of names.collaborators) {
    type Balance = Record<'currency' | 'balance' | 'draft' | 'pending' | 'inPayout' | 'paid', unknown>;
    for (const one of await get<Balance[]>(merchant, `/v1/collaborators/${id}/balance`)) {
      balances.push(text(name, one.currency, one.balance, one.draft, one.pending, one.inPayout, one.paid));
    }
  }
  const engagements = await all<Engagement>(merchant, '/v1/engagements');
  const opportunities = await all<Opportunity>(merchant, '/v1/opportunities');
  return {
    transactions: transactions.map((one) =>
      text(names.transactions.get(one.id), one.type, one.total, one.refundedAmount, one.currency, one.status),
    ),
    explanations,
    balances,
    opportunities: [
      text(names.opportunities.size, 'numbers'),
      ...[...merchant.numbers]
        .filter(([name]) => name.startsWith('v'))
        .map(([visit, number]) => text(visit, names.opportunities.get(number))),
    ],
    visitors: opportunities.map(({ id, status, userId }) =>
      text(names.opportunities.get(String(id)), status, status === 'merged' ? '' : nameOf(userId)),
    ),
    engagements: summed(
      engagements
        .filter(({ status }) => status !== 'invalid')
        .map((one) => [
          text(
            names.survivors.get(String(one.opportunityId)),
            names.programs.get(one.programId),
            names.collaborators.get(one.collaboratorId),
            one.status,
          ),
          BigInt(one.score),
        ]),
    ),
  };
}

async function get<Body>({ service, key }: Merchant, path: string): Promise<Body> {
  const reply = await service.request('GET', path, { key });
  assert.equal(reply.status, 200, `${path}: ${reply.text}`);
  return reply.body as Body;
}

/** Returns all rows of a list. The first page that is not full is the last page. */
async function all<Row>(merchant: Merchant, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; rows.length === (page - 1) * 100; page += 1) {
    rows.push(...(await get<Row[]>(merchant, `${path}?page=${page}&perPage=100&sort=id`)));
  }
  return rows;
}

function text(...parts: readonly unknown[]): string {
  return parts.map(String).join(' ').trim();
}
