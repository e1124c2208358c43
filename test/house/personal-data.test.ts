import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { createDatabase } from '#test/support/database.ts';

/*
 * Checks docs/reference/privacy.md against the schema. The page lists every column. For each table with personal data,
 * the page states whose data the table contains, in which columns and for how long, and how the data is erased.
 */

/** The column that the page documents once for all tables. */
const IN_ALL = 'organization_id';

type Said = { readonly table: string; readonly columns: readonly string[]; readonly cells: readonly string[] };

describe('docs/reference/privacy.md', () => {
  let own: Awaited<ReturnType<typeof createDatabase>>;
  let client: Client;
  let said: readonly Said[];
  before(async () => {
    own = await createDatabase();
    client = new Client({ connectionString: own.url });
    await client.connect();
    said = tablesOf(await readFile(new URL('../../docs/reference/privacy.md', import.meta.url), 'utf8'));
  });
  after(async () => {
    await client.end();
    await own.drop();
  });

  it('lists every column of every table once, and no others', async () => {
    const { rows } = await client.query<{ name: string; columns: string[] }>(
      `select c.relname as name, array_agg(a.attname::text order by a.attname::text) as columns
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       group by 1 order by 1`,
    );
    assert.ok(rows.length > 50);
    const listed = (tables: readonly { table: string; columns: readonly string[] }[]) =>
      tables.map(({ table, columns }) => `${table}: ${columns.toSorted().join(', ')}`).toSorted();
    const there = rows.map(({ name, columns }) => ({
      table: name,
      columns: columns.filter((each) => each !== IN_ALL),
    }));
    assert.deepEqual(listed(said), listed(there));
  });

  it('states for each table with personal data whose data it is, its retention and its erasure', () => {
    for (const { table, cells } of said) {
      const [whose, personal, pseudonymous, , kept, erased] = cells;
      const tells = personal !== '' || pseudonymous !== '';
      assert.equal(tells, whose !== '', `${table}: whose data it is`);
      assert.equal(tells, kept !== '', `${table}: the retention`);
      assert.equal(tells, erased !== '', `${table}: the erasure`);
    }
  });

  it('lists only seven columns with personal data of visitors', () => {
    const ofVisitors = said.filter(({ cells }) => cells[0]?.includes('visitor'));
    assert.deepEqual(
      ofVisitors.map(({ table, cells }) => [table, cells[1]]).filter(([, personal]) => personal !== ''),
      [
        ['connector_events', '`payload`'],
        ['opportunities', '`user_id`'],
        ['sale_corrections', '`replaced_lines`'],
        ['text_users', '`text`'],
        ['transaction_lines', '`name`'],
        ['visits', '`user_id`'],
        ['webhook_messages', '`data`'],
      ],
    );
  });
});

/** Returns the rows of the page's table under "Every column": the database table, its columns, and all other cells. */
function tablesOf(page: string): Said[] {
  const section = page.slice(page.indexOf('## Every column'));
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [name = '', ...cells] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      const columns = cells
        .slice(1, 4)
        .flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, column]) => column ?? ''));
      return { table: name.replaceAll('`', ''), columns, cells };
    });
}
