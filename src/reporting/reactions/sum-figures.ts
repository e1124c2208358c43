import type { OrganizationId } from '#core/ids.ts';
import type { Database } from '#platform/postgres/database.ts';
import { addToSums, findUnsummed, readClosed } from '../store/figure-sums.ts';
import type { ChoreOutcome } from '#platform/worker/chores.ts';

const NONE = 0 as OrganizationId;

/**
 * Returns a maintenance task that adds facts, such as visits and sales, to the stored sums for figures. A fact is added
 * once no open transaction can still write an earlier fact. Each call adds some facts of one organization and returns
 * `more`. If no facts are left, the call returns `some` or `none`, depending on whether this round has added facts.
 * Later facts wait for the next round, so that each round ends. Any number of workers can run the task concurrently.
 */
export function createFigureSummer(database: Database): () => Promise<ChoreOutcome> {
  let closedUntil: string | undefined;
  let previous = NONE;
  let hasAdded = false;
  return async () => {
    closedUntil ??= await readClosed(database);
    const organizationId =
      (await findUnsummed(database, previous, closedUntil)) ??
      // All later organizations are done, so continue with the first organization.
      (previous === NONE ? undefined : await findUnsummed(database, NONE, closedUntil));
    if (organizationId !== undefined) {
      // If the step fails, the next step is for another organization.
      previous = organizationId;
      await addToSums(database, { organizationId, closedUntil });
      hasAdded = true;
      return 'more';
    }
    const outcome = hasAdded ? 'some' : 'none';
    [closedUntil, previous, hasAdded] = [undefined, NONE, false];
    return outcome;
  };
}
