import type { Operation } from '#core/contract/operation.ts';
import type { Database } from '../postgres/database.ts';
import type { Handler, Handlers } from './handler.ts';

/**
 * Returns the answer of `there`, which reads from the replica, if `good` accepts it. Returns the answer of `here` if
 * the replica is unusable, `there` throws, or its answer isn't accepted.
 */
export type ReadElsewhere = <Answer>(
  there: () => Promise<Answer>,
  here: () => Promise<Answer>,
  good: (answer: Answer) => boolean,
) => Promise<Answer>;

/**
 * Returns the handlers, except that calls with `mayLag` are first answered on a replica. Only the primary refuses a
 * call, because a resource may be too new for the replica.
 */
export function readFromReplica<Table extends Readonly<Record<string, Operation>>>(
  operations: Table,
  handlers: Handlers<Table>,
  replica: { readonly database: Database; readonly read: ReadElsewhere },
): Handlers<Table> {
  const entries = Object.entries(operations).map(([id, { mayLag }]) => {
    const handle = handlers[id] as Handler<Operation>;
    if (mayLag !== true) return [id, handle];
    const handler: Handler<Operation> = (request) =>
      replica.read(
        () => handle({ ...request, tenant: { ...request.tenant, connection: replica.database } }),
        () => handle(request),
        ({ kind }) => kind === 'answer',
      );
    return [id, handler];
  });
  return Object.fromEntries(entries) as Handlers<Table>;
}
