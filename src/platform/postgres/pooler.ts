import type { Pool, QueryConfig } from 'pg';

/** The kinds of poolers between the service and its database: none, or one that lends connections for a transaction. */
export const POOLERS = ['none', 'transaction'] as const;
export type Pooler = (typeof POOLERS)[number];

/** PostgreSQL settings by name. */
export type Settings = Readonly<Record<string, string>>;

/** Returns settings as startup options of a dedicated connection. */
export function startupOptions(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/**
 * Prepares the connections of `pool` for a pooler that lends a server connection for one transaction. Startup options
 * don't reach the server, and prepared statements and settings may be missing in the next transaction. So each
 * transaction begins with `settings`, in the same message. Statements are sent without names, so they are planned each
 * time.
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
