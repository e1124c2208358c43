import type { Database } from '#platform/postgres/database.ts';

/** A row that a request has written, with the columns that it changed. */
export type Write = { readonly table: string; readonly verb: string; readonly columns: readonly string[] };

export type Writes = {
  /** Returns the writes in an organization since the previous call of `since`. */
  readonly since: (organizationId: string) => Promise<Write[]>;
  /** Returns all writes in an organization since the beginning. */
  readonly ever: (organizationId: string) => Promise<Write[]>;
  /**
   * Starts to watch one request while no other request is under way. The returned function returns all writes since
   * then, in all organizations. `since` never returns these writes again.
   */
  readonly watchOne: () => Promise<() => Promise<Write[]>>;
};

/**
 * The connection option of the process that decides events. The writes of this process are not recorded, because they
 * are not part of a response.
 */
export const BACKGROUND = '-c fuzz.writes=ignored';

/**
 * Makes the database record each row that is written from now on, except by connections with the option BACKGROUND. The
 * record belongs to the same transaction, so a rollback removes it. The watched tables are all tables with data of
 * organizations, according to the database's catalog.
 */
export async function watchWrites(database: Database): Promise<Writes> {
  await database.query(NOTING);
  const { rows } = await database.query<{ table: string; hasJson: boolean }>(
    `select c.oid::regclass::text as table, exists (
       select from pg_attribute a where a.attrelid = c.oid and a.atttypid = 'json'::regtype) as "hasJson"
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' or c.relname = 'organizations')`,
  );
  for (const { table, hasJson } of rows)
    await database.query(
      `create trigger noted after insert or update or delete on ${table}
       for each row execute function ${hasJson ? 'fuzz.note_whole()' : 'fuzz.note()'}`,
    );
  const seen = new Map<string, number>();
  /** The number of the last write that `watchOne` has returned. */
  let checkedTo = 0;
  return {
    since: async (organizationId) => {
      const notes = await notesOf(database, organizationId, Math.max(checkedTo, seen.get(organizationId) ?? 0));
      const last = notes.at(-1);
      if (last !== undefined) seen.set(organizationId, last.number);
      return notes;
    },
    ever: (organizationId) => notesOf(database, organizationId, 0),
    watchOne: async () => {
      const before = await lastNumber(database);
      return async () => {
        const { rows } = await database.query<Note>(`${NOTES} where id > $1 order by id`, [before]);
        checkedTo = rows.at(-1)?.number ?? checkedTo;
        return rows;
      };
    },
  };
}

type Note = Write & { readonly number: number };

const NOTES = 'select id as number, table_name as table, verb, columns from fuzz.writes';

async function notesOf(database: Database, organizationId: string, after: number): Promise<Note[]> {
  const text = `${NOTES} where organization_id = $1 and id > $2 order by id`;
  return (await database.query<Note>(text, [organizationId, after])).rows;
}

async function lastNumber(database: Database): Promise<number> {
  const { rows } = await database.query<{ number: number }>('select coalesce(max(id), 0) as number from fuzz.writes');
  return rows[0]?.number ?? 0;
}

const NOTING = `
  create schema fuzz;
  create table fuzz.writes (
    id bigint generated always as identity, organization_id bigint, table_name text, verb text, columns text[]
  );
  create index on fuzz.writes (organization_id, id);
  create index on fuzz.writes (id);
  create function fuzz.note() returns trigger language plpgsql as $$
  declare
    old_row jsonb := to_jsonb(old);
    new_row jsonb := to_jsonb(new);
    row jsonb := coalesce(new_row, old_row);
  begin
    if current_setting('fuzz.writes', true) = 'ignored' then return null; end if;
    insert into fuzz.writes (organization_id, table_name, verb, columns)
    select coalesce(row ->> 'organization_id', row ->> 'id')::bigint, tg_table_name, lower(tg_op), array(
      select key from jsonb_each(new_row) where old_row is not null and value is distinct from old_row -> key
    );
    return null;
  end $$;
  -- A json column may contain text that jsonb refuses, such as half a surrogate pair. Converting the row to jsonb would
  -- then make the request fail.
  create function fuzz.note_whole() returns trigger language plpgsql as $$
  begin
    if current_setting('fuzz.writes', true) = 'ignored' then return null; end if;
    insert into fuzz.writes (organization_id, table_name, verb, columns)
    values (case tg_op when 'DELETE' then old.organization_id else new.organization_id end, tg_table_name, lower(tg_op), array['some']);
    return null;
  end $$`;
