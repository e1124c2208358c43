import type { Connection } from '../database.ts';

/*
 * The contents of a database according to its catalog, so that a backup includes the tables of all migrations and all
 * partitions.
 */

export type Table = { readonly table: string; readonly columns: readonly string[] };

/** The name of the table that records the applied migrations. */
const MIGRATIONS = 'migrations';

/**
 * Returns all tables in which rows are stored, including partitions, with their columns. Omits the record of
 * migrations, because the header of a backup contains it. Also omits unlogged tables and generated columns.
 */
export async function listTables(connection: Connection): Promise<Table[]> {
  const { rows } = await connection.query<Table>(
    `select relname as table, array(
       select attname::text from pg_attribute
       where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
     ) as columns
     from pg_class c
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and relpersistence = 'p' and relname <> $1
     order by relname`,
    [MIGRATIONS],
  );
  return rows;
}

/** Returns the last value of each sequence. Sequences without a value yet are omitted. */
export async function readSequences(connection: Connection): Promise<Record<string, number>> {
  const { rows } = await connection.query<{ name: string; last: number }>(
    `select sequencename as name, last_value as last from pg_sequences
     where schemaname = current_schema() and last_value is not null order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

export async function setSequences(connection: Connection, lasts: Readonly<Record<string, number>>): Promise<void> {
  await connection.query(
    'select setval(quote_ident(name), last) from unnest($1::text[], $2::bigint[]) s (name, last)',
    [Object.keys(lasts), Object.values(lasts)],
  );
}

/** Returns whether the schema has no tables, views or sequences. Objects of extensions don't count. */
export async function isEmpty(connection: Connection): Promise<boolean> {
  const { rowCount } = await connection.query(
    `select 1 from pg_class c
     where relnamespace = current_schema()::regnamespace and not exists (
       select 1 from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
     limit 1`,
  );
  return rowCount === 0;
}

/**
 * Disables triggers and drops foreign keys, so that rows can be written unchanged and in any order. Returns a function
 * that restores both, which also validates every reference.
 */
export async function liftRules(connection: Connection): Promise<() => Promise<void>> {
  const { rows: references } = await connection.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint
     where connamespace = current_schema()::regnamespace and contype = 'f' and conparentid = 0
     order by conrelid::regclass::text, conname`,
  );
  const { rows: triggers } = await connection.query<{ disable: string; enable: string }>(
    `select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as disable,
       format('alter table %s enable %s trigger %I', tgrelid::regclass, case tgenabled when 'A' then 'always' end, tgname) as enable
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = current_schema()::regnamespace and not tgisinternal and tgparentid = 0 and tgenabled in ('O', 'A')
     order by tgrelid::regclass::text, tgname`,
  );
  for (const { drop } of references) await connection.query(drop);
  for (const { disable } of triggers) await connection.query(disable);
  return async () => {
    for (const { enable } of triggers) await connection.query(enable);
    for (const { add } of references) await connection.query(add);
  };
}

/** Returns a table name with its listed columns, for COPY. */
export function tableWithColumns({ table, columns }: Table): string {
  return `${quoteName(table)} (${columns.map(quoteName).join(', ')})`;
}

/** Returns a name as a quoted PostgreSQL identifier. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
