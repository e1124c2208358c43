import type { Connection } from '../database.ts';

/*
 * What a database holds, by its catalogue: so a back-up knows of every table, also of those of later migrations, and of
 * those of the partitions.
 */

export type Table = { readonly table: string; readonly columns: readonly string[] };

/** Made and kept by `migrate`. */
const MIGRATIONS = 'migrations';

/**
 * All tables that hold rows, but what is said elsewhere and what no crash is meant to survive. Columns that are computed
 * from others are left out.
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

/** How far each sequence has come; those that gave no number yet are left out. */
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

/** Whether there is nothing in it, but what extensions have brought along. */
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
 * Lets rows be written as they are and in any order: nothing is triggered, and no reference looked up. Answers what puts
 * triggers and references back, which proves every reference at once.
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

/** A table with those of its columns that hold rows of their own, as COPY reads them. */
export function withColumns({ table, columns }: Table): string {
  return `${quoted(table)} (${columns.map(quoted).join(', ')})`;
}

/** As PostgreSQL reads a name. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
