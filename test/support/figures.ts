import { openDatabase, type Database } from '#platform/postgres/database.ts';
import { addToSums, findUnsummed, type RoundSize } from '#reporting/store/figure-sums.ts';
import type { OrganizationId } from '#core/ids.ts';
import type { TestService } from './service.ts';
import type { Shop } from './shop.ts';

/**
 * The facts from which figures are calculated. They are read through the API, except `programIds`, which the test
 * supplies.
 */
export type Facts = {
  readonly visits: readonly {
    day: string;
    collaboratorId: number;
    alias: string | null;
    programIds: readonly number[];
  }[];
  readonly transactions: readonly Transaction[];
  readonly refunds: readonly { day: string; transactionId: number; amount: number }[];
  /** Corrections of sales. `amount` is the change of the total. */
  readonly corrections: readonly { day: string; transactionId: number; amount: number }[];
  readonly conversions: readonly Conversion[];
  readonly entries: readonly { day: string; amount: number; currency: string; conversion: Conversion }[];
  /** The alias of a collaborator's last touch before a transaction, by `<transaction id> <collaborator id>`. */
  readonly links: ReadonlyMap<string, string | null>;
};

type Transaction = {
  readonly id: number;
  readonly day: string;
  readonly type: 'sale' | 'renewal' | 'lead';
  readonly source: string;
  readonly total: number;
  readonly currency: string;
};
type Conversion = {
  readonly id: number;
  readonly day: string;
  readonly transactionId: number;
  readonly collaboratorId: number;
  readonly programId: number;
  readonly currency: string;
};

type Step = {
  readonly kind: string;
  readonly at: string;
  readonly eventId?: number;
  readonly opportunityId: number;
  readonly mergedInto?: number;
  readonly collaboratorId?: number;
  readonly alias?: string;
  readonly transactionId?: number;
  readonly renewsTransactionId?: number;
  readonly refundedAmount?: number;
  readonly correctedAmount?: number;
};

/**
 * Returns the ids of the programs that count the visit with the given event and collaborator. The setup of the test
 * determines the programs.
 */
export type CountingPrograms = (eventId: number, collaboratorId: number) => readonly number[];

/** Reads all facts of an organization through the API, with their days in a time zone. */
export async function readFacts(shop: Shop, touching: CountingPrograms, timeZone = 'UTC'): Promise<Facts> {
  const all = async <Row>(path: string): Promise<Row[]> => {
    const rows: Row[] = [];
    for (let page = 1; ; page += 1) {
      const more = await shop.get<Row[]>(`/v1/${path}?perPage=100&page=${page}&sort=id`);
      rows.push(...more);
      if (more.length < 100) return rows;
    }
  };
  const days = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  const dayOf = (time: string): string => days.format(new Date(time));
  const conversions = (await all<Omit<Conversion, 'day'> & { createdAt: string }>('conversions')).map((row) => ({
    ...row,
    day: dayOf(row.createdAt),
  }));
  const transactions = (await all<Transaction & { occurredAt: string; createdAt: string }>('transactions')).map(
    (row) => ({
      ...row,
      day: dayOf(row.occurredAt),
    }),
  );
  const obligations = await all<{ id: number; conversionId: number }>('obligations');
  const conversionOf = new Map(
    obligations.map(({ id, conversionId }) => [id, conversions.find((each) => each.id === conversionId)]),
  );
  const entries = (
    await all<{
      occurredAt: string;
      amount: number;
      currency: string;
      debit: string;
      credit: string;
      obligationId: number;
    }>('ledger-entries')
  ).flatMap(({ occurredAt, amount, currency, debit, credit, obligationId }) => {
    const earned = debit === 'expense' ? amount : credit === 'expense' ? -amount : 0;
    const conversion = conversionOf.get(obligationId);
    return earned === 0 || conversion === undefined
      ? []
      : [{ day: dayOf(occurredAt), amount: earned, currency, conversion }];
  });

  const opportunities = await all<{ id: number; status: string }>('opportunities');
  const visits: Facts['visits'][number][] = [];
  const refunds: Facts['refunds'][number][] = [];
  const corrections: Facts['corrections'][number][] = [];
  const links = new Map<string, string | null>();
  const named = new Set(
    transactions.filter(({ occurredAt, createdAt }) => occurredAt !== createdAt).map(({ id }) => id),
  );
  for (const { id } of opportunities.filter(({ status }) => status !== 'merged')) {
    const { steps } = await shop.get<{ steps: Step[] }>(`/v1/opportunities/${id}/journey`);
    for (const step of steps) {
      if (step.kind === 'visit') {
        const { eventId = 0, collaboratorId = 0, alias = null } = step;
        visits.push({ day: dayOf(step.at), collaboratorId, alias, programIds: touching(eventId, collaboratorId) });
      }
      if (step.kind === 'correction') {
        const { transactionId = 0, correctedAmount: amount = 0 } = step;
        corrections.push({ day: dayOf(step.at), transactionId, amount });
      }
      if (step.kind === 'refund') {
        refunds.push({ day: dayOf(step.at), transactionId: step.transactionId ?? 0, amount: step.refundedAmount ?? 0 });
      }
    }
    noteLinks(steps, links, named);
  }
  return { visits, transactions, refunds, corrections, conversions, entries, links };
}

/**
 * Adds the links of a journey's transactions to `links`. The steps are in order, and opportunities stay separate until
 * the step that merges them. `named` has the ids of the transactions that were reported with their time.
 */
function noteLinks(steps: readonly Step[], links: Map<string, string | null>, named: ReadonlySet<number>): void {
  const group = new Map<number, number>();
  const rootOf = (member: number): number => {
    const next = group.get(member);
    return next === undefined ? member : rootOf(next);
  };
  const touches: { of: number; at: number; collaboratorId: number; alias: string | null }[] = [];
  for (const {
    kind,
    at,
    opportunityId,
    mergedInto,
    collaboratorId,
    alias = null,
    transactionId,
    renewsTransactionId,
  } of steps) {
    if (kind === 'merge') group.set(rootOf(opportunityId), rootOf(mergedInto ?? 0));
    if (collaboratorId !== undefined && kind !== 'engagement')
      touches.push({ of: opportunityId, at: Date.parse(at), collaboratorId, alias });
    if (kind === 'renewal') {
      for (const [key, link] of links) {
        const [sale, whose] = key.split(' ');
        if (Number(sale) === renewsTransactionId) links.set(`${transactionId} ${whose}`, link);
      }
    }
    if (kind === 'sale' || kind === 'lead') {
      // The touch with the latest time wins, and for equal times the touch reported last. Touches more than five
      // minutes after a reported time don't count.
      const until = named.has(transactionId ?? 0) ? Date.parse(at) + 5 * 60_000 : Infinity;
      const counted = touches.filter((touch) => touch.at <= until).sort((a, b) => a.at - b.at);
      for (const touch of counted) {
        if (rootOf(touch.of) === rootOf(opportunityId))
          links.set(`${transactionId} ${touch.collaboratorId}`, touch.alias);
      }
    }
  }
}

export type Question = {
  readonly from: string;
  readonly until: string;
  readonly by: 'day' | 'collaborator' | 'program' | 'source' | 'link' | 'total';
  readonly collaboratorId?: number;
  readonly programId?: number;
  readonly source?: string;
};

export type Counted = {
  visits: number | null;
  sales: number;
  renewals: number;
  leads: number;
  conversions: number;
  amounts: Record<string, [revenue: number, refunded: number, earned: number]>;
};

/** Calculates the figures for a question by counting the facts one by one. Returns the rows by key. */
export function recount(facts: Facts, { from, until, by, ...filters }: Question): Record<string, Counted> {
  const rows: Record<string, Counted> = {};
  const hasVisits = by !== 'source' && filters.source === undefined;
  const rowOf = (key: string): Counted =>
    (rows[key] ??= { visits: hasVisits ? 0 : null, sales: 0, renewals: 0, leads: 0, conversions: 0, amounts: {} });
  const addTo = (key: string, currency: string, place: 0 | 1 | 2, amount: number): void => {
    (rowOf(key).amounts[currency] ??= [0, 0, 0])[place] += amount;
  };
  const isIn = (day: string): boolean => from <= day && day < until;
  const linkOf = (transactionId: number, collaboratorId: number): string =>
    `${collaboratorId} ${facts.links.get(`${transactionId} ${collaboratorId}`) ?? null}`;
  const keyOf = (day: string, transaction: Transaction | undefined, of?: Conversion): string =>
    ({
      day,
      total: 'total',
      source: transaction?.source ?? '',
      collaborator: String(of?.collaboratorId),
      program: String(of?.programId),
      link: linkOf(of?.transactionId ?? 0, of?.collaboratorId ?? 0),
    })[by];
  const isAsked = (of: { collaboratorId: number; programId: number }): boolean =>
    (filters.collaboratorId ?? of.collaboratorId) === of.collaboratorId &&
    (filters.programId ?? of.programId) === of.programId;
  const isOwned =
    ['collaborator', 'program', 'link'].includes(by) || (filters.collaboratorId ?? filters.programId) !== undefined;
  const byId = new Map(facts.transactions.map((each) => [each.id, each]));
  const ofSource = (transaction: Transaction | undefined): boolean =>
    (filters.source ?? transaction?.source) === transaction?.source;
  const ownersOf = new Map<number, Conversion[]>();
  for (const each of facts.conversions.filter(isAsked)) {
    ownersOf.set(each.transactionId, [...(ownersOf.get(each.transactionId) ?? []), each]);
  }
  /** Returns the keys of the rows that include a transaction, without duplicates. */
  const keysOf = (day: string, transaction: Transaction): string[] => {
    const owners = ownersOf.get(transaction.id) ?? [];
    return isOwned ? [...new Set(owners.map((of) => keyOf(day, transaction, of)))] : [keyOf(day, transaction)];
  };
  for (const each of hasVisits ? facts.visits.filter(({ day }) => isIn(day)) : []) {
    const { collaboratorId, programIds } = each;
    if (filters.collaboratorId !== undefined && filters.collaboratorId !== collaboratorId) continue;
    if (filters.programId !== undefined && !programIds.includes(filters.programId)) continue;
    const programs = by === 'program' ? programIds.filter((id) => (filters.programId ?? id) === id) : [0];
    for (const program of programs) {
      const keys = {
        day: each.day,
        total: 'total',
        source: '',
        collaborator: String(collaboratorId),
        program: String(program),
        link: `${collaboratorId} ${each.alias}`,
      };
      const row = rowOf(keys[by]);
      row.visits = (row.visits ?? 0) + 1;
    }
  }
  for (const each of facts.transactions.filter((of) => isIn(of.day) && ofSource(of))) {
    for (const key of keysOf(each.day, each)) {
      rowOf(key)[`${each.type}s`] += 1;
      // Each correction is counted on its own day, not on the day of the sale.
      const own = facts.corrections.filter(({ transactionId }) => transactionId === each.id);
      const reported = own.reduce((total, { amount }) => total - amount, each.total);
      if (reported > 0) addTo(key, each.currency, 0, reported);
    }
  }
  for (const { day, transactionId, amount } of facts.corrections.filter((of) => isIn(of.day))) {
    const transaction = byId.get(transactionId);
    if (transaction === undefined || !ofSource(transaction)) continue;
    for (const key of keysOf(day, transaction)) addTo(key, transaction.currency, 0, amount);
  }
  for (const { day, transactionId, amount } of facts.refunds.filter((of) => isIn(of.day))) {
    const transaction = byId.get(transactionId);
    if (transaction === undefined || !ofSource(transaction)) continue;
    for (const key of keysOf(day, transaction)) {
      rowOf(key);
      if (amount > 0) addTo(key, transaction.currency, 1, amount);
    }
  }
  for (const each of facts.conversions.filter((of) => isIn(of.day) && isAsked(of))) {
    const transaction = byId.get(each.transactionId);
    if (ofSource(transaction)) rowOf(keyOf(each.day, transaction, each)).conversions += 1;
  }
  for (const { day, amount, currency, conversion } of facts.entries.filter(
    (of) => isIn(of.day) && isAsked(of.conversion),
  )) {
    const transaction = byId.get(conversion.transactionId);
    if (ofSource(transaction)) addTo(keyOf(day, transaction, conversion), currency, 2, amount);
  }
  return rows;
}

/**
 * Adds facts older than `closedUntil` to the daily sums in rounds of `size`, as workers do. Stops when all are added,
 * or after `rounds` rounds. Returns the number of rounds.
 */
export async function addRounds(
  database: Database,
  closedUntil: string,
  size: RoundSize,
  rounds = Infinity,
): Promise<number> {
  let done = 0;
  for (; done < rounds; done += 1) {
    const organizationId = await findUnsummed(database, 0 as OrganizationId, closedUntil);
    if (organizationId === undefined) break;
    await addToSums(database, { organizationId, closedUntil }, size);
  }
  return done;
}

/** Opens a pool of database connections with a worker's settings. */
export function openWorkerPool({ databaseUrl }: TestService): Database {
  return openDatabase(databaseUrl, { connections: 2, steadyPlans: true });
}

/**
 * Moves visits, transactions and ledger entries to pseudorandom times in the last `days` days, directly in the
 * database. Conversions, refunds and corrections get independent times after their sales.
 */
export async function spreadOverDays({ database }: TestService, days: number): Promise<void> {
  const connection = await database.connect();
  const chance = (id: string): string => `abs(hashint8(${id})::bigint) % 1000 / 1000.0`;
  const earlier = (id: string): string => `interval '1 day' * ceil(${chance(id)} * ${days})`;
  const since = (id: string, time: string): string => `t.occurred_at + ${chance(id)} * (${time} - t.occurred_at)`;
  const ofTransaction = (row: string): string =>
    `from transactions t where t.organization_id = ${row}.organization_id and t.id = ${row}.transaction_id`;
  try {
    for (const text of [
      'set session_replication_role = replica',
      `update visits set occurred_at = occurred_at - ${earlier('id')}`,
      `update transactions set occurred_at = occurred_at - ${earlier('id')}`,
      `update events e set occurred_at = case when t.event_id = e.id then t.occurred_at else ${since('e.id', 'e.occurred_at')} end
       ${ofTransaction('e')}`,
      `update refunds r set occurred_at = e.occurred_at
       from events e where e.organization_id = r.organization_id and e.id = r.event_id`,
      `update transactions t set refunded_at = (
         select e.occurred_at from events e
         where e.organization_id = t.organization_id and e.transaction_id = t.id and e.type = 'RefundTriggered'
         order by e.id desc limit 1)
       where refunded_at is not null`,
      `update conversions c set created_at = ${since('c.id', 'c.created_at')} ${ofTransaction('c')}`,
      `update ledger_entries set occurred_at = occurred_at - ${earlier('id')}`,
    ]) {
      await connection.query(text);
    }
  } finally {
    connection.release(true);
  }
}
