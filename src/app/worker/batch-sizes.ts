import type { OrganizationId } from '#core/ids.ts';

/** The number of jobs to claim at once. */
export type BatchSizes = {
  readonly sizeFor: (organizationId: OrganizationId) => number;
  /** Records a batch of `asked` jobs that succeeded. `metLocks`: some of its jobs were given back. */
  readonly noteSuccess: (organizationId: OrganizationId, asked: number, metLocks: boolean) => void;
  /** Records that the database couldn't process a batch, perhaps because of the statement timeout. */
  readonly noteFailure: () => void;
};

/**
 * Tracks batch sizes up to `largest`. A failure divides the size by four for all organizations, and each success
 * doubles it. A batch that met locked rows halves the size for its organization: jobs that are given back were claimed
 * in vain, and the jobs behind them may meet locks too.
 */
export function batchSizes(largest: number): BatchSizes {
  let forAll = largest;
  const forLocked = new Map<OrganizationId, number>();
  return {
    sizeFor: (organizationId) => Math.min(forAll, forLocked.get(organizationId) ?? largest),
    noteSuccess: (organizationId, asked, metLocks) => {
      if (metLocks) forLocked.set(organizationId, Math.max(1, asked >> 1));
      else if (asked * 2 >= largest) forLocked.delete(organizationId);
      else if (forLocked.has(organizationId)) forLocked.set(organizationId, asked * 2);
      forAll = Math.min(forAll * 2, largest);
    },
    noteFailure: () => {
      forAll = Math.max(1, forAll >> 2);
    },
  };
}
