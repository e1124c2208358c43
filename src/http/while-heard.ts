import type { Operation } from '#contract/operation.ts';
import type { Handler, Handlers } from './handler.ts';

/** What `work` answers; fails as soon as nothing is heard of the database, whatever becomes of the work after that. */
export type WhileHeard = <Answer>(work: () => Promise<Answer>) => Promise<Answer>;

/** The handlers, save that nobody waits for a database of which nothing is heard. */
export function answeringWhileHeard<Table extends Readonly<Record<string, Operation>>>(
  handlers: Handlers<Table>,
  whileHeard: WhileHeard,
): Handlers<Table> {
  const entries = Object.entries(handlers as Readonly<Record<string, Handler<Operation>>>).map(([id, handle]) => {
    const handler: Handler<Operation> = (request) => whileHeard(() => handle(request));
    return [id, handler];
  });
  return Object.fromEntries(entries) as Handlers<Table>;
}
