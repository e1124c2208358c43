import { chainHash, genesisHash } from '#ledger/domain/ledger.ts';
import type { LedgerEntryId, OrganizationId } from '#core/ids.ts';
import type { Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { ENTRY_COLUMNS, type EntryRow, readEntry } from '#ledger/store/chain.ts';
import { type Invariant, organizationFilter } from './invariant.ts';

/** The maximum number of ledger entries in one batch. A batch has more if its first block alone has more. */
const ENTRIES_A_BATCH = 10_000;
const BLOCKS_A_LOOK = 1_000;
const MARK_BYTES = 4;

/** Invariants of the ledger chains: no ledger entry in a chain has been changed, removed or inserted. */
export const CHAIN: readonly Invariant[] = [
  { name: 'no ledger entry in a chain has been changed or removed', find: findChanged },
  {
    // After a restore, PostgreSQL's transaction ids alone would also select ledger entries that are not in the chain
    // yet. So the ids of ledger entries are compared until the chain writer has run.
    name: 'every ledger entry in a chain is in exactly one block',
    query: `
      with chained as (
        select s.organization_id, x.id, count(*) as blocks
        from ledger_blocks s cross join unnest(s.entry_ids) x (id)
        where ${organizationFilter('s')}
        group by 1, 2
      )
      select format('organization %s: ledger entry %s %s', e.organization_id, e.id, case when s.id is null
        then 'is in the chain, but in no block' else 'is in ' || s.blocks || ' blocks' end) as detail
      from ledger_entries e
      cross join ledger_chain l
      cross join pg_current_snapshot() c
      left join chained s on s.organization_id = e.organization_id and s.id = e.id
      where ${organizationFilter('e')} and (s.blocks > 1 or s.id is null and (e.id <= l.after_id or e.xid < l.chained_below
        and (e.id <= l.highest_id or l.chained_below <= pg_snapshot_xmax(c))))`,
  },
];

type StoredBlock = {
  readonly number: number;
  readonly entry_ids: readonly LedgerEntryId[];
  readonly entries: number;
  readonly marks: Buffer;
  readonly hash: string;
};

/** The last verified place in a ledger chain. */
type Place = { readonly number: number; readonly entries: number; readonly hash: string };

/** Returns the first fault of each organization's ledger chain. Ledger entries after a fault can't be verified. */
async function findChanged(connection: Queryable, organizationId: OrganizationId | null): Promise<string[]> {
  const { rows } = await connection.query<{ id: OrganizationId }>(
    'select id from organizations where $1::bigint is null or id = $1 order by id',
    [organizationId],
  );
  const faults: string[] = [];
  for (const { id } of rows) {
    const fault = await followChain({ connection, organizationId: id });
    if (fault !== undefined) faults.push(`organization ${id}: ${fault}`);
  }
  return faults;
}

async function followChain(tenant: Tenant): Promise<string | undefined> {
  let place: Place = { number: 0, entries: 0, hash: genesisHash(tenant.organizationId) };
  for (;;) {
    const blocks = await readBlocks(tenant, place);
    if (blocks.length === 0) return undefined;
    const entries = await readEntries(tenant, blocks);
    for (const block of blocks) {
      const next = followBlock(place, block, entries);
      if (typeof next === 'string') return next;
      place = next;
    }
  }
}

/** Returns the place after the ledger entries of a block, or a description of the first fault in the block. */
function followBlock(place: Place, block: StoredBlock, entries: ReadonlyMap<LedgerEntryId, EntryRow>): Place | string {
  const { number, entry_ids: ids } = block;
  if (number !== place.number + 1) return `block ${place.number + 1} is missing, and the next block is ${number}`;
  let { hash } = place;
  for (const [index, id] of ids.entries()) {
    const row = entries.get(id);
    if (row === undefined) return `ledger entry ${id}, in block ${number}, is missing`;
    hash = chainHash(hash, readEntry(row));
    const mark = block.marks.toString('hex', index * MARK_BYTES, (index + 1) * MARK_BYTES);
    if (!hash.startsWith(mark)) return `ledger entry ${id}, in block ${number}, has been changed`;
  }
  if (hash !== block.hash) return `block ${number} has a hash that differs from the hash of its ledger entries`;
  if (block.entries !== place.entries + ids.length) {
    return `block ${number} ends after ${place.entries + ids.length} ledger entries, but states ${block.entries}`;
  }
  return { number, hash, entries: block.entries };
}

/** Returns the next blocks, up to a batch of ledger entries, but at least one block if there is any. */
async function readBlocks({ connection, organizationId }: Tenant, place: Place): Promise<readonly StoredBlock[]> {
  const { rows } = await connection.query<StoredBlock>(
    `select number, entry_ids, entries, marks, encode(hash, 'hex') as hash
     from (select * from ledger_blocks where organization_id = $1 and number > $2 order by number limit $5) s
     where entries <= $3 or number = $4
     order by number`,
    [organizationId, place.number, place.entries + ENTRIES_A_BATCH, place.number + 1, BLOCKS_A_LOOK],
  );
  if (rows.length > 0) return rows;
  // The chain ends here, or its next block is missing. In the second case, return a later block, which shows the gap.
  const beyond = await connection.query<StoredBlock>(
    `select number, '{}'::bigint[] as entry_ids, entries, ''::bytea as marks, '' as hash
     from ledger_blocks where organization_id = $1 and number > $2 order by number limit 1`,
    [organizationId, place.number],
  );
  return beyond.rows;
}

async function readEntries(
  { connection, organizationId }: Tenant,
  blocks: readonly StoredBlock[],
): Promise<Map<LedgerEntryId, EntryRow>> {
  const { rows } = await connection.query<EntryRow>(
    `select ${ENTRY_COLUMNS} from ledger_entries where organization_id = $1 and id = any ($2::bigint[])`,
    [organizationId, blocks.flatMap((block) => block.entry_ids)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
