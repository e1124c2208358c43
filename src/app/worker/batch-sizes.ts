import type { OrganizationId } from '#core/ids.ts';

export type BatchSizes = {
  readonly sizeFor: (organizationId: OrganizationId) => number;
  /**
   * Records a batch that succeeded or was too large. `asked` is the requested number of jobs, and `found` is the number
   * that was found.
   */
  readonly noteSuccess: (
    organizationId: OrganizationId,
    batch: { readonly asked: number; readonly found: number; readonly isTooLarge: boolean },
  ) => void;
  /** Records that the database couldn't process a batch, for example because of the statement timeout. */
  readonly noteFailure: () => void;
};

/**
 * Returns an object that tracks batch sizes up to `largest`. A failure divides the size for all organizations by four,
 * and each later success doubles it. After a batch that was too large, its organization gets batches of half as many
 * jobs, which also double with each success. A batch was too large in these cases:
 *
 * - It took too long.
 * - It waited too long for a lock.
 * - It had to release some of its jobs, because a call waited for its transaction.
 */
export function batchSizes(largest: number): BatchSizes {
  let forAll = largest;
  const reduced = new Map<OrganizationId, number>();
  return {
    sizeFor: (organizationId) => Math.min(forAll, reduced.get(organizationId) ?? largest),
    noteSuccess: (organizationId, { asked, found, isTooLarge }) => {
      if (isTooLarge) reduced.set(organizationId, Math.max(1, Math.min(asked, found) >> 1));
      else if (asked * 2 >= largest) reduced.delete(organizationId);
      else if (reduced.has(organizationId)) reduced.set(organizationId, asked * 2);
      forAll = Math.min(forAll * 2, largest);
    },
    noteFailure: () => {
      forAll = Math.max(1, forAll >> 2);
    },
  };
}
