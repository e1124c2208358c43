import type { Pool, QueryConfig } from 'pg';

/** What stands between the service and its database, and how far it hands out connections. */
export const POOLERS = ['none', 'transaction'] as const;
export type Pooler = (typeof POOLERS)[number];

/** Settings of PostgreSQL by name. */
export type Settings = Readonly<Record<string, string>>;

/** As start-up options of a connection that is ours for as long as it lives. */
export function startupOptions(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/**
 * Makes the connections of `pool` fit for a pooler that lends a server's connection for one transaction: no start-up
 * options reach the server, and what one transaction has prepared or set, the next one may not find. So each transaction
 * begins with `settings`, in the same message, and statements lose their names: they are planned each time.
 */
export function lendByTransaction(pool: Pool, settings: Settings): void {
  const locals = Object.entries(settings).map(([name, value]) => `; set local ${name} = '${value}'`);
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (first: unknown, ...rest: unknown[]) => unknown;
    client.query = ((first: unknown, ...rest: unknown[]) =>
      query(typeof first === 'string' ? begun(first) : nameless(first), ...rest)) as typeof client.query;
  });

  function begun(text: string): string {
    return BEGIN.test(text) ? text + locals.join('') : text;
  }
}

const BEGIN = /^begin\b/;

function nameless(query: unknown): unknown {
  return { ...(query as QueryConfig), name: undefined };
}
