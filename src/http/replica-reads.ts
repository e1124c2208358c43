import type { Operation } from '#contract/operation.ts';
import type { Handler, Handlers } from './handler.ts';

/** Reads `there` where that can be had and is `good`, else `here`. */
export type ReadElsewhere = <Answer>(
  there: () => Promise<Answer>,
  here: () => Promise<Answer>,
  good: (answer: Answer) => boolean,
) => Promise<Answer>;

/**
 * The handlers `here`, save that calls which may lag are first answered by those `there`, on a replica. Only the primary
 * refuses: what a replica does not know may be there since a moment ago.
 */
export function readingElsewhere<Table extends Readonly<Record<string, Operation>>>(
  operations: Table,
  here: Handlers<Table>,
  there: Handlers<Table>,
  read: ReadElsewhere,
): Handlers<Table> {
  const entries = Object.entries(operations).map(([id, { mayLag }]) => {
    const [near, far] = [here[id], there[id]] as [Handler<Operation>, Handler<Operation>];
    if (mayLag !== true) return [id, near];
    const handler: Handler<Operation> = (request) =>
      read(
        () => far(request),
        () => near(request),
        ({ kind }) => kind === 'answer',
      );
    return [id, handler];
  });
  return Object.fromEntries(entries) as Handlers<Table>;
}
