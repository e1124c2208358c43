import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '#platform/postgres/database.ts';
import { COLLABORATORS } from './processes.ts';

const CLIENTS = 16;

/** A pgbench script that writes the same three rows as the service for a visit, in a separate commit. */
const VISIT = `
\\set c random(1, ${COLLABORATORS})
begin;
insert into opportunities (organization_id, id, created_at) values (1, nextval('opportunity_ids'), now());
insert into visits (organization_id, id, opportunity_id, collaborator_id, config_version, occurred_at, alias_id)
  values (1, nextval('event_ids'), currval('opportunity_ids'), :c, 1, now(), :c);
insert into engagements
    (organization_id, opportunity_id, program_id, collaborator_id, score, first_visit_id, last_visit_id, first_at, last_at)
  values (1, currval('opportunity_ids'), 1, :c, 1, currval('event_ids'), currval('event_ids'), now(), now());
commit;
`;

/** A pgbench script that writes the same rows as the service for a one-line sale and its decision. */
const SALE = `
\\set o random(1, :opportunities)
\\set c random(1, ${COLLABORATORS})
begin;
select id from opportunities where organization_id = 1 and id = :o for no key update;
insert into transactions
    (organization_id, id, source, external_id, event_id, opportunity_id, reported_opportunity_id, opportunity_state, total,
     currency, content_hash, occurred_at, type)
  values (1, nextval('transaction_ids'), 'pgbench', 'order-' || currval('transaction_ids'), nextval('event_ids'), :o, :o,
    'active', 4999, 'USD', sha256('content'), now(), 'sale');
insert into transaction_lines (organization_id, transaction_id, position, name, type, quantity, amount)
  values (1, currval('transaction_ids'), 1, 'Order', 'product', 1, 4999);
insert into events (organization_id, id, type, source, opportunity_id, transaction_id, config_version, occurred_at)
  values (1, currval('event_ids'), 'SaleTriggered', 'pgbench', :o, currval('transaction_ids'), 1, now());
select * from engagements where organization_id = 1 and opportunity_id = :o;
insert into explanations
    (organization_id, transaction_id, event_id, decided_at, decided_seq, base, currency, candidates)
  select 1, currval('transaction_ids'), currval('event_ids'), now(), nextval('event_ids'), 4999, 'USD',
    (select candidates from explanations where organization_id = 1 order by transaction_id limit 1);
insert into conversions
    (organization_id, transaction_id, opportunity_id, type, decided_seq, program_id, program_version, collaborator_id,
     awarded, amount, currency, weight, by_quantity, status, created_at, updated_at)
  values (1, currval('transaction_ids'), :o, 'sale', currval('event_ids'), 1, 1, :c, 499, 499, 'USD', 1, false, 'approved',
    now(), now());
insert into obligations
    (organization_id, conversion_id, collaborator_id, amount, currency, status, created_at, updated_at)
  values (1, currval('conversions_id_seq'), :c, 499, 'USD', 'pending', now(), now());
commit;
`;

/**
 * Returns the visits and sales per second that pgbench writes to a database. Returns an empty array if pgbench is not
 * installed. pgbench writes the same rows as the service, with 16 clients, prepared statements and one commit per
 * report. The database must contain a decided sale.
 */
export async function commitEach(url: string, seconds: number): Promise<[name: string, perSecond: number][]> {
  const pgbench = globSync('/usr/lib/postgresql/*/bin/pgbench').at(-1);
  if (pgbench === undefined) {
    process.stdout.write('pgbench is not installed, so the comparison with pgbench is skipped.\n');
    return [];
  }
  const opportunities = await countOpportunities(url);
  return [
    ['pgbench, one a commit: visits', await run(pgbench, url, seconds, VISIT, opportunities)],
    ['pgbench, one a commit: sales with their decision', await run(pgbench, url, seconds, SALE, opportunities)],
  ];
}

async function countOpportunities(url: string): Promise<number> {
  const database = openDatabase(url, { connections: 1 });
  try {
    const { rows } = await database.query<{ newest: number }>('select max(id) as newest from opportunities');
    return rows[0]?.newest ?? 0;
  } finally {
    await database.end();
  }
}

async function run(
  pgbench: string,
  url: string,
  seconds: number,
  script: string,
  opportunities: number,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'whence-pgbench-'));
  try {
    const file = join(folder, 'script.sql');
    await writeFile(file, script);
    const { stdout } = await promisify(execFile)(pgbench, [
      '--no-vacuum',
      '--protocol=prepared',
      `--client=${CLIENTS}`,
      `--jobs=${cpus().length}`,
      `--time=${seconds}`,
      `--define=opportunities=${opportunities}`,
      `--file=${file}`,
      url,
    ]);
    return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
