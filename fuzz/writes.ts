import type { Database } from '#store/database.ts';

/** A row that a request has written, or changed in these columns. */
export type Write = { readonly table: string; readonly verb: string; readonly columns: readonly string[] };

export type Writes = {
  /** What was written of an organization since the last time that this was asked. */
  readonly since: (organizationId: string) => Promise<Write[]>;
};

/** Told to the database by whoever decides what was reported: what they write is no part of an answer. */
export const BACKGROUND = '-c fuzz.writes=ignored';

/**
 * Has the database note each row that the service writes, from now on, in the transaction that writes it: what is undone
 * leaves no note. Every table that holds something of an organization is watched; a new one by itself.
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
  const seen = new Map<string, string>();
  return {
    since: async (organizationId) => {
      const { rows: notes } = await database.query<Write & { number: string }>(
        `select id::text as number, table_name as table, verb, columns from fuzz.writes where organization_id = $1 and id > $2 order by id`,
        [organizationId, seen.get(organizationId) ?? '0'],
      );
      const last = notes.at(-1);
      if (last !== undefined) seen.set(organizationId, last.number);
      return notes.map(({ table, verb, columns }) => ({ table, verb, columns }));
    },
  };
}

const NOTING = `
  create schema fuzz;
  create table fuzz.writes (
    id bigint generated always as identity, organization_id bigint, table_name text, verb text, columns text[]
  );
  create index on fuzz.writes (organization_id, id);
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
  -- JSON as it was sent may hold what jsonb refuses, such as half a character: then our own note would fail the request.
  create function fuzz.note_whole() returns trigger language plpgsql as $$
  begin
    if current_setting('fuzz.writes', true) = 'ignored' then return null; end if;
    insert into fuzz.writes (organization_id, table_name, verb, columns)
    values (case tg_op when 'DELETE' then old.organization_id else new.organization_id end, tg_table_name, lower(tg_op), array['some']);
    return null;
  end $$`;
