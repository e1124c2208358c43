import { chainHash, genesisHash, type LedgerEntry } from '../domain/ledger.ts';
import type { LedgerEntryId, OrganizationId } from '#core/ids.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import {
  type ChainHead,
  findChainHeads,
  moveChainEnd,
  readUnchained,
  type Block,
  saveBlocks,
  takeUnchained,
} from '../store/chain.ts';

/**
 * The target number of ledger entries in one pass. Ledger entries of the same transaction are never split, so a pass
 * can have more.
 */
const ENTRIES_A_PASS = 50_000;
/**
 * The number of ledger entries processed together, and the maximum for one block. Hashing them takes about 10
 * milliseconds.
 */
const ENTRIES_A_BATCH = 5_000;
const MARK_DIGITS = 8;

/**
 * Links ledger entries into the ledger chains of their organizations, once no earlier ledger entry can be committed.
 * The hash of a ledger entry covers all ledger entries before it. A pass is one transaction, and only one process runs
 * a pass at a time. Returns the number of linked ledger entries.
 */
export function extendChains(database: Database): Promise<number> {
  return inTransaction(database, async (connection) => {
    const range = await takeUnchained(connection, ENTRIES_A_PASS);
    if (range === undefined) return 0;
    let chained = 0;
    let highestId = 0 as LedgerEntryId;
    for await (const batch of readUnchained(connection, range, ENTRIES_A_BATCH)) {
      await chainBatch(connection, batch);
      chained += batch.length;
      for (const { entry } of batch) if (entry.id > highestId) highestId = entry.id;
    }
    await moveChainEnd(connection, range, highestId);
    return chained;
  });
}

async function chainBatch(
  connection: Connection,
  batch: readonly { readonly organizationId: OrganizationId; readonly entry: LedgerEntry }[],
): Promise<void> {
  const chains = Map.groupBy(batch, ({ organizationId }) => organizationId);
  const found = await findChainHeads(connection, [...chains.keys()]);
  const heads = new Map(found.map((head) => [head.organizationId, head]));
  const blocks = [...chains].map(([organizationId, unchained]) =>
    nextBlock(
      heads.get(organizationId) ?? start(organizationId),
      unchained.map(({ entry }) => entry),
    ),
  );
  await saveBlocks(connection, blocks);
}

function start(organizationId: OrganizationId): ChainHead {
  return { organizationId, number: 0, entries: 0, hash: genesisHash(organizationId) };
}

function nextBlock(head: ChainHead, entries: readonly LedgerEntry[]): Block {
  let { hash } = head;
  let marks = '';
  for (const entry of entries) {
    hash = chainHash(hash, entry);
    marks += hash.slice(0, MARK_DIGITS);
  }
  return {
    organizationId: head.organizationId,
    number: head.number + 1,
    entries: head.entries + entries.length,
    hash,
    entryIds: entries.map(({ id }) => id),
    marks,
  };
}
