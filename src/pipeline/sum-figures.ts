import type { OrganizationId } from '#domain/ids.ts';
import type { Database } from '#store/database.ts';
import { addToSums, findUnsummed, readClosed } from '#store/figure-sums.ts';
import type { ChoreOutcome } from './chores.ts';

const NONE = 0 as OrganizationId;

/**
 * Adds what is closed to the sums that figures are read from, some of one organization at each call, until there is none.
 * What has been closed since then waits for the next time, so that there is an end. Any number of workers may do so at once.
 */
export function figureSumming(database: Database): () => Promise<ChoreOutcome> {
  let closedUntil: string | undefined;
  let previous = NONE;
  let hasAdded = false;
  return async () => {
    closedUntil ??= await readClosed(database);
    const organizationId =
      (await findUnsummed(database, previous, closedUntil)) ??
      // All have had their turn: from the first again.
      (previous === NONE ? undefined : await findUnsummed(database, NONE, closedUntil));
    if (organizationId !== undefined) {
      await addToSums(database, { organizationId, closedUntil });
      previous = organizationId;
      hasAdded = true;
      return 'more';
    }
    const outcome = hasAdded ? 'some' : 'none';
    [closedUntil, previous, hasAdded] = [undefined, NONE, false];
    return outcome;
  };
}
