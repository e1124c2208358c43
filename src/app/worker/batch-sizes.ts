import type { OrganizationId } from '#core/ids.ts';

export type BatchSizes = {
  readonly sizeFor: (organizationId: OrganizationId) => number;
  /**
   * Records the success of a batch of `asked` jobs. `metLocks` means that some of its jobs were released because of
   * locked rows.
   */
  readonly noteSuccess: (organizationId: OrganizationId, asked: number, metLocks: boolean) => void;
  /** Records that the database couldn't process a batch, for example because of the statement timeout. */
  readonly noteFailure: () => void;
};

/**
 * Tracks batch sizes up to `largest`. A failure divides the size by four for all organizations, and each success
 * doubles it. A batch with locked rows halves the size for its organization. Such a batch had to release some of its
 * claimed jobs, and the rows of the next jobs may be locked too.
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
