import type { Connection, Database } from '#platform/postgres/database.ts';

/** A database clock whose time the demo sets. */
export type HeldClock = {
  /**
   * Sets the time of all transactions that begin afterwards, in milliseconds since 1970. Each time must be later than
   * the previous time.
   */
  readonly moveTo: (milliseconds: number) => Promise<void>;
  /** Restores the true time and removes all traces of the controlled clock. */
  readonly release: () => Promise<void>;
};

/**
 * The SQL functions that return the time, with their volatility. The service's SQL reads the time only through these
 * functions.
 */
const CLOCKS = {
  now: 'stable',
  transaction_timestamp: 'stable',
  statement_timestamp: 'stable',
  clock_timestamp: 'volatile',
} as const;

/**
 * Takes control of a database's clock (docs/decisions/0036). Functions in `public` override PostgreSQL's own functions
 * for all connections opened later, and column defaults use these functions. Within a transaction, `now()` does not
 * move, as with the true clock.
 */
export async function holdClock(database: Database, milliseconds: number): Promise<HeldClock> {
  await inOne(database, async (connection) => {
    await connection.query(`
      create schema demo_clock;
      create unlogged table demo_clock.moves (since timestamptz primary key, at timestamptz not null);`);
    await connection.query(`insert into demo_clock.moves values ('-infinity', to_timestamp($1))`, [
      milliseconds / 1_000,
    ]);
    for (const [clock, kind] of Object.entries(CLOCKS)) {
      await connection.query(`
        create function public.${clock}() returns timestamptz language sql ${kind} as
        'select at from demo_clock.moves where since <= pg_catalog.${clock}() order by since desc limit 1'`);
    }
    await bindDefaults(connection, 'public, pg_catalog');
    await setPath(connection, `set search_path = 'public', 'pg_catalog'`);
  });
  return {
    moveTo: async (to) => {
      await database.query({
        name: 'move-clock',
        text: 'insert into demo_clock.moves values (pg_catalog.clock_timestamp(), to_timestamp($1))',
        values: [to / 1_000],
      });
    },
    release: () =>
      inOne(database, async (connection) => {
        await bindDefaults(connection, 'pg_catalog, public');
        await setPath(connection, 'reset search_path');
        for (const clock of Object.keys(CLOCKS)) await connection.query(`drop function public.${clock}()`);
        await connection.query('drop schema demo_clock cascade');
      }),
  };
}

/**
 * Rebinds the column defaults that use a clock. A default keeps the function with which it was created, so each default
 * is created again from its text under another search path.
 */
async function bindDefaults(connection: Connection, path: string): Promise<void> {
  await connection.query('set local search_path = pg_catalog, public');
  const { rows } = await connection.query<{ statement: string }>(
    `select format('alter table %s alter column %I set default %s', d.adrelid::regclass, a.attname,
       replace(pg_get_expr(d.adbin, d.adrelid), 'public.', '')) as statement
     from pg_attrdef d
     join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
     where pg_get_expr(d.adbin, d.adrelid) ~ $1
     order by d.adrelid, d.adnum`,
    [`\\m(${Object.keys(CLOCKS).join('|')})\\(`],
  );
  await connection.query(`set local search_path = ${path}`);
  for (const { statement } of rows) await connection.query(statement);
}

async function setPath(connection: Connection, change: string): Promise<void> {
  const { rows } = await connection.query<{ name: string }>(`select format('%I', current_database()) as name`);
  await connection.query(`alter database ${rows[0]?.name} ${change}`);
}

async function inOne(database: Database, work: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = await database.connect();
  try {
    await connection.query('begin');
    await work(connection);
    await connection.query('commit');
  } catch (error) {
    await connection.query('rollback');
    throw error;
  } finally {
    // `set local` ends with the transaction, so the next user of this connection gets the normal search path.
    connection.release();
  }
}
