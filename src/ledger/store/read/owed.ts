import type { CollaboratorId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import { type Connection, type Database, inSnapshot } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

type Accounts<Amount> = {
  readonly draft: Amount;
  readonly pending: Amount;
  readonly inPayout: Amount;
  readonly paid: Amount;
};

/** The balances of one collaborator in one currency. */
export type ListedBalanceOf<Amount> = Accounts<Amount> & {
  /** Identifies the pair of collaborator and currency. */
  readonly id: number;
  readonly collaboratorId: CollaboratorId;
  readonly collaboratorName: string;
  readonly currency: string;
  readonly balance: Amount;
};
export type ListedBalance = ListedBalanceOf<Minor>;

/** The total balances of all collaborators in one currency, by account. */
export type Owed = Accounts<Minor> & { readonly currency: string };

/** The relation of all balances at one moment. Read it with the connection and in the snapshot of `withBalances`. */
export type BalancesNow = Relation<ListedBalanceOf<string>, ListedBalance>;

/** Runs `work` in a snapshot, with the relation of the balances in that snapshot. */
export function withBalances<Result>(
  database: Database,
  work: (connection: Connection, balances: BalancesNow) => Promise<Result>,
): Promise<Result> {
  return inSnapshot(database, async (connection) => work(connection, balancesOf(await readUnchained(connection))));
}

/** Returns the total balances of all collaborators of the organization, by currency. */
export function readOwedAmounts({ connection, organizationId }: Tenant<Database>): Promise<Owed[]> {
  return inSnapshot(connection, async (connection) => {
    const { rows } = await connection.query<Accounts<string> & { currency: string }>(
      `select currency, sum(draft)::text as draft, sum(pending)::text as pending, sum(in_payout)::text as "inPayout",
         sum(paid)::text as paid
       from (${balanceRows(await readUnchained(connection))}) b where organization_id = $1
       group by currency order by currency collate "C"`,
      [organizationId],
    );
    return rows.map(({ currency, ...accounts }) => ({ currency, ...amountsOf(accounts) }));
  });
}

function balancesOf(unchained: string): BalancesNow {
  return {
    query: `
      select b.organization_id, ${KEY} as id, b.collaborator_id as "collaboratorId", c.name as "collaboratorName", b.currency,
        pending + in_payout as balance, draft, pending, in_payout as "inPayout", paid
      from (
        select organization_id, collaborator_id, currency, sum(draft) as draft, sum(pending) as pending,
          sum(in_payout) as in_payout, sum(paid) as paid
        from (${balanceRows(unchained)}) s group by 1, 2, 3
      ) b
      join collaborators c on c.organization_id = b.organization_id and c.id = b.collaborator_id`,
    key: 'id',
    sorts: { id: 'bigint', balance: 'bigint', draft: 'bigint', pending: 'bigint', inPayout: 'bigint', paid: 'bigint' },
    isComputed: true,
    read: ({ balance, draft, pending, inPayout, paid, ...row }) => ({
      ...row,
      balance: BigInt(balance) as Minor,
      ...amountsOf({ draft, pending, inPayout, paid }),
    }),
  };
}

/**
 * SQL for a number that identifies a collaborator and a currency. The currency's three letters form a number below 26³.
 */
const KEY = `(b.collaborator_id * 17576 + (ascii(b.currency) - 65) * 676 + (ascii(substr(b.currency, 2)) - 65) * 26
  + ascii(substr(b.currency, 3)) - 65)`;

function amountsOf({ draft, pending, inPayout, paid }: Accounts<string>): Accounts<Minor> {
  const amount = (text: string): Minor => BigInt(text) as Minor;
  return { draft: amount(draft), pending: amount(pending), inPayout: amount(inPayout), paid: amount(paid) };
}

const ACCOUNTS = ['draft', 'pending', 'in-payout', 'paid'];

/**
 * Returns SQL for the stored sums and the ledger entries that are not in them yet. A collaborator and currency can have
 * several rows.
 */
function balanceRows(unchained: string): string {
  const moved = ACCOUNTS.map((name) => `case '${name}' when credit then amount when debit then -amount else 0 end`);
  return `
    select organization_id, collaborator_id, currency, draft, pending, in_payout, paid from ledger_balances
    union all
    select organization_id, collaborator_id, currency, ${moved.join(', ')} from ledger_entries where ${unchained}`;
}

/**
 * Returns an SQL condition for the ledger entries that are not in the sums, valid for this snapshot. The condition
 * contains its bounds as literals, so that the planner knows how few ledger entries match. After a restore (see
 * ledger/store/chain.ts), transaction numbers don't show which ledger entries are outside the sums, so ids are used.
 */
async function readUnchained(connection: Connection): Promise<string> {
  const { rows } = await connection.query<{ below: string; afterId: string; highestId: string; restored: boolean }>(
    `select chained_below::text as below, after_id::text as "afterId", greatest(after_id, highest_id)::text as "highestId",
       chained_below > pg_snapshot_xmax(pg_current_snapshot()) as restored from ledger_chain`,
  );
  const [chain] = rows;
  if (chain === undefined) throw new Error('The table ledger_chain has no row.');
  const { below, afterId, highestId, restored } = chain;
  const added = `xid >= '${digits(below)}'::xid8 and id > ${digits(afterId)}`;
  return restored ? `(${added} or id > ${digits(highestId)})` : added;
}

/**
 * Checks that a text from the database is a number, so that it is safe as a literal in a statement. Throws a RangeError
 * otherwise.
 */
function digits(text: string): string {
  if (!/^\d+$/.test(text)) throw new RangeError(`The database returned “${text}” instead of a number.`);
  return text;
}
