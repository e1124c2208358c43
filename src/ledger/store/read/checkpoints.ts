import { genesisHash } from '../../domain/ledger.ts';
import type { LedgerEntryId } from '#core/ids.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/** The state of an organization's ledger chain after one of its blocks. */
export type Checkpoint = {
  /** The number of the block. It is 0 before the first block. */
  readonly number: number;
  readonly hash: string;
  /** The number of ledger entries in the chain up to this block. */
  readonly entries: number;
  readonly lastEntryId: LedgerEntryId | null;
  readonly sealedAt: Date | null;
};

/**
 * Returns the newest checkpoint, or the checkpoint of block `number`. Returns undefined if that block doesn't exist.
 */
export async function readCheckpoint(
  { connection, organizationId }: Tenant,
  number: number | null,
): Promise<Checkpoint | undefined> {
  const { rows } = await connection.query<Checkpoint>(
    `select number, encode(hash, 'hex') as hash, entries, entry_ids[cardinality(entry_ids)] as "lastEntryId",
       created_at as "sealedAt"
     from ledger_blocks where organization_id = $1 and ($2::bigint is null or number = $2)
     order by number desc limit 1`,
    [organizationId, number],
  );
  const beginning = { number: 0, hash: genesisHash(organizationId), entries: 0, lastEntryId: null, sealedAt: null };
  return rows[0] ?? (number === null || number === 0 ? beginning : undefined);
}
