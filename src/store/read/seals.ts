import { genesis } from '#domain/ledger.ts';
import type { LedgerEntryId, OrganizationId } from '#domain/ids.ts';
import type { Queryable } from '../database.ts';

/** The chain of an organization's ledger up to one of its seals. */
export type Checkpoint = {
  /** Of the seal; 0 before the first. */
  readonly number: number;
  /** Hexadecimal, after the last entry. */
  readonly hash: string;
  /** How many entries the chain has up to there. */
  readonly entries: number;
  readonly lastEntryId: LedgerEntryId | null;
  readonly sealedAt: Date | null;
};

/** The newest checkpoint, or that of seal `number`; undefined where there is no such seal. */
export async function readCheckpoint(
  connection: Queryable,
  organizationId: OrganizationId,
  number: number | null,
): Promise<Checkpoint | undefined> {
  const { rows } = await connection.query<Checkpoint>(
    `select number, encode(hash, 'hex') as hash, entries, entry_ids[cardinality(entry_ids)] as "lastEntryId",
       sealed_at as "sealedAt"
     from ledger_seals where organization_id = $1 and ($2::bigint is null or number = $2)
     order by number desc limit 1`,
    [organizationId, number],
  );
  const beginning = { number: 0, hash: genesis(organizationId), entries: 0, lastEntryId: null, sealedAt: null };
  return rows[0] ?? (number === null || number === 0 ? beginning : undefined);
}
