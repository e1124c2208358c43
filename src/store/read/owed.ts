import type { CollaboratorId, OrganizationId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import { type Connection, type Database, inSnapshot } from '../database.ts';
import type { Relation } from './relation.ts';

type Accounts<Amount> = {
  readonly draft: Amount;
  readonly pending: Amount;
  readonly inPayout: Amount;
  readonly paid: Amount;
};

/** What one collaborator has in one currency. */
export type ListedBalanceOf<Amount> = Accounts<Amount> & {
  /** Of the collaborator in the currency. */
  readonly id: number;
  readonly collaboratorId: CollaboratorId;
  readonly collaboratorName: string;
  readonly currency: string;
  readonly balance: Amount;
};
export type ListedBalance = ListedBalanceOf<Minor>;

/** What all collaborators have in one currency. */
export type Owed = Accounts<Minor> & { readonly currency: string };

/** Balances of one moment: they are to be read by the connection that they were made on, and while its snapshot lasts. */
export type BalancesNow = Relation<ListedBalanceOf<string>, ListedBalance>;

/** Runs `work` with the balances of this moment. */
export function withBalances<Result>(
  database: Database,
  work: (connection: Connection, balances: BalancesNow) => Promise<Result>,
): Promise<Result> {
  return inSnapshot(database, async (connection) => work(connection, balancesOf(await readUnsealed(connection))));
}

/** What is owed to all collaborators of the organization together, by currency. */
export function readOwed(database: Database, organizationId: OrganizationId): Promise<Owed[]> {
  return inSnapshot(database, async (connection) => {
    const { rows } = await connection.query<Accounts<string> & { currency: string }>(
      `select currency, sum(draft)::text as draft, sum(pending)::text as pending, sum(in_payout)::text as "inPayout",
         sum(paid)::text as paid
       from (${standing(await readUnsealed(connection))}) b where organization_id = $1
       group by currency order by currency collate "C"`,
      [organizationId],
    );
    return rows.map(({ currency, ...accounts }) => ({ currency, ...amountsOf(accounts) }));
  });
}

function balancesOf(unsealed: string): BalancesNow {
  return {
    query: `
      select b.organization_id, ${KEY} as id, b.collaborator_id as "collaboratorId", c.name as "collaboratorName", b.currency,
        pending + in_payout as balance, draft, pending, in_payout as "inPayout", paid
      from (
        select organization_id, collaborator_id, currency, sum(draft) as draft, sum(pending) as pending,
          sum(in_payout) as in_payout, sum(paid) as paid
        from (${standing(unsealed)}) s group by 1, 2, 3
      ) b
      join collaborators c on c.organization_id = b.organization_id and c.id = b.collaborator_id`,
    key: 'id',
    sorts: { id: 'bigint', balance: 'bigint', draft: 'bigint', pending: 'bigint', inPayout: 'bigint', paid: 'bigint' },
    unordered: ['balance', 'draft', 'pending', 'inPayout', 'paid'],
    read: ({ balance, draft, pending, inPayout, paid, ...row }) => ({
      ...row,
      balance: BigInt(balance) as Minor,
      ...amountsOf({ draft, pending, inPayout, paid }),
    }),
  };
}

/** A number for a collaborator in a currency, whose three letters are a number below 26³. */
const KEY = `(b.collaborator_id * 17576 + (ascii(b.currency) - 65) * 676 + (ascii(substr(b.currency, 2)) - 65) * 26
  + ascii(substr(b.currency, 3)) - 65)`;

function amountsOf({ draft, pending, inPayout, paid }: Accounts<string>): Accounts<Minor> {
  const amount = (text: string): Minor => BigInt(text) as Minor;
  return { draft: amount(draft), pending: amount(pending), inPayout: amount(inPayout), paid: amount(paid) };
}

const ACCOUNTS = ['draft', 'pending', 'in-payout', 'paid'];

/** What is sealed, added up, and the entries that are not; several rows of a collaborator and currency. */
function standing(unsealed: string): string {
  const moved = ACCOUNTS.map((name) => `case '${name}' when credit then amount when debit then -amount else 0 end`);
  return `
    select organization_id, collaborator_id, currency, draft, pending, in_payout, paid from ledger_balances
    union all
    select organization_id, collaborator_id, currency, ${moved.join(', ')} from ledger_entries where ${unsealed}`;
}

/**
 * Which entries are not in the sums, as a condition that holds for this snapshot: with the numbers in it, so that the planner
 * knows how few there are. After a restore (see store/seals.ts) numbers of transactions don't tell, ids do.
 */
async function readUnsealed(connection: Connection): Promise<string> {
  const { rows } = await connection.query<{ below: string; afterId: string; highestId: string; restored: boolean }>(
    `select sealed_below::text as below, after_id::text as "afterId", greatest(after_id, highest_id)::text as "highestId",
       sealed_below > pg_snapshot_xmax(pg_current_snapshot()) as restored from ledger_sealing`,
  );
  const [sealing] = rows;
  if (sealing === undefined) throw new Error('the ledger is without its sealing');
  const { below, afterId, highestId, restored } = sealing;
  const added = `xid >= '${digits(below)}'::xid8 and id > ${digits(afterId)}`;
  return restored ? `(${added} or id > ${digits(highestId)})` : added;
}

/** A number that came from the database, and nothing else, as text in a statement. */
function digits(text: string): string {
  if (!/^\d+$/.test(text)) throw new RangeError(`no number: ${text}`);
  return text;
}
