import type { Operation } from '#core/contract/operation.ts';
import type { Handler, Handlers } from './handler.ts';

/**
 * Returns the answer of `work`. Rejects as soon as the database is unresponsive, whatever the later outcome of `work`.
 */
export type WhileHeard = <Answer>(work: () => Promise<Answer>) => Promise<Answer>;

/** Returns the handlers, except that no call waits for an unresponsive database. */
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
