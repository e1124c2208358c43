import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };

/*
 * Checks that the SQL of an area reads only tables of its own area and of the areas above it, and writes only its own
 * tables. The files of the schema determine each table's area. EXCEPTIONS lists the allowed deviations.
 */

const SOURCES = join(import.meta.dirname, '..', '..', 'src');
const SCHEMA = join(SOURCES, 'platform', 'postgres', 'schema');

/**
 * The areas in the order of package.json's imports. An area may read only its own tables and the tables of earlier
 * areas.
 */
const AREAS = Object.values(manifest.imports).flatMap((path) => /^\.\/src\/(\w+)\//.exec(path)?.[1] ?? []);

/** Schema files that belong to the platform. All other schema files are named after an area. */
const SCHEMA_OF_PLATFORM = new Set(['foundations', 'platform', 'service-role']);

/** The allowed reads of tables of later areas, and the allowed writes to tables of other areas, with their reasons. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'organizations reads sessions': 'closing a portal ends its sessions',
  'organizations writes sessions': 'closing a portal ends its sessions',
  'organizations reads entry_links': 'closing a portal voids its links',
  'organizations writes entry_links': 'closing a portal voids its links',
  'access writes organizations': 'an organization is created together with its first keys',
  'access reads collaborators': 'the session of a collaborator needs their status',
  'collaborators reads opportunities': 'the members of a merged visitor are found together',
  'collaborators reads events': 'erased self-referrals are found by the events that they decided',
  'collaborators reads transactions': 'erased self-referrals are found by the sales that they decided',
  'collaborators reads self_referral_tombstones': 'decisions after an erasure must not change',
  'collaborators reads entry_links': 'a collaborator who loses access loses the emailed links',
  'collaborators writes entry_links': 'a collaborator who loses access loses the emailed links',
  'tracking reads events': 'one list shows the events of visits, sales and refunds',
  'tracking reads jobs': 'one list shows the events of visits, sales and refunds',
  'tracking reads transactions': 'one list shows the events of visits, sales and refunds',
  'tracking writes jobs': 'an event is retried by making its job due',
  'sales reads conversions':
    'the list of sales filters by collaborator, and a manual credit also counts the lines of a refund',
  'ledger reads conversions': 'a statement names the sale of each entry',
  'attribution reads payouts':
    'a refund flags the payout that includes its conversion, in one commit, and a conversion shows its payout',
  'attribution reads payout_flags': 'a refund flags the payout that includes its conversion, in one commit',
  'attribution writes payouts': 'a refund flags the payout that includes its conversion, in one commit',
  'attribution writes payout_flags': 'a refund flags the payout that includes its conversion, in one commit',
  'attribution writes obligations': 'one commit contains a decision and its obligations',
  'attribution writes engagements': 'a decision completes the engagements that it credits',
  'attribution writes events': 'a manual credit is an event',
  'attribution writes jobs': 'a replay decides copies of the reports',
  'attribution writes opportunities': 'a replay decides copies of the reports',
  'attribution writes transactions': 'a replay decides copies of the reports',
  'payouts writes conversions': 'one commit contains an approval and the obligation that becomes payable',
  'payouts writes obligations': 'a run assigns obligations to its payouts',
  'portal writes outgoing_emails': 'an email that is not sent is written too, so that all requests take equally long',
  'privacy writes visits': 'an erasure removes personal data everywhere',
  'privacy writes engagements': 'an erasure removes personal data everywhere',
  'privacy writes opportunities': 'an erasure removes personal data everywhere',
  'privacy writes webhook_messages': 'an erasure removes personal data everywhere',
  'privacy writes connector_events': 'an erasure removes personal data everywhere',
  'privacy writes entry_links': 'an erasure removes personal data everywhere',
};

const owners = ownersOfTables();

it('the SQL of an area reads no tables of areas below it, and writes only the area’s tables, with listed exceptions', () => {
  assert.ok(owners.size > 50);
  const found = new Set(
    readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => /^\w+\/store\/.*\.ts$/.test(file))
      .flatMap(breachesIn),
  );
  assert.deepEqual([...found].sort(), Object.keys(EXCEPTIONS).sort());
});

function ownersOfTables(): ReadonlyMap<string, string> {
  const tables = readdirSync(SCHEMA).flatMap((file) => {
    const name = file.replace(/^\d+-/, '').replace(/\.sql$/, '');
    const area = SCHEMA_OF_PLATFORM.has(name) ? 'platform' : name;
    assert.ok(AREAS.includes(area), `${file} is named after an area`);
    const text = readFileSync(join(SCHEMA, file), 'utf8');
    return [...text.matchAll(/^create (?:unlogged )?table (\w+)/gim)].map(([, table = '']) => [table, area] as const);
  });
  return new Map(tables);
}

function breachesIn(file: string): string[] {
  const area = file.slice(0, file.indexOf('/'));
  const text = readFileSync(join(SOURCES, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '');
  const tablesAfter = (words: RegExp) => [...text.matchAll(words)].map(([, table = '']) => table);
  const written = tablesAfter(/\b(?:insert into|delete from|update)\s+(\w+)/gi);
  const read = tablesAfter(/\b(?:from|join|using)\s+(\w+)/gi);
  const isBelow = (owner: string): boolean => AREAS.indexOf(owner) > AREAS.indexOf(area);
  return [
    ...written.filter((table) => (owners.get(table) ?? area) !== area).map((table) => `${area} writes ${table}`),
    ...read.filter((table) => isBelow(owners.get(table) ?? area)).map((table) => `${area} reads ${table}`),
  ];
}
