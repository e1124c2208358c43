import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Edit, EDITS } from './edit-source.ts';
import type { SystemOptions } from './system.ts';

/**
 * A service with a deliberate bug that the harness must detect. A harness that misses it could also miss a real fault.
 */
export type Control = {
  readonly name: string;
  /** The deliberate bug, for the table in docs/explanation/reliability.md. */
  readonly what: string;
  /** The name of the fault that reveals the bug. `calm` means no fault. */
  readonly fault: string;
  /** The number of iterations within which the harness must detect the bug. */
  readonly within: number;
  /**
   * The edits to the source code. If a file no longer contains the text that an edit replaces, the service refuses to
   * start.
   */
  readonly edits: readonly Edit[];
  /** SQL that is run on the database after its migrations. */
  readonly sql?: string;
  readonly system?: SystemOptions;
};

const JOBS = 'src/platform/worker/jobs.ts';
const SALES = 'src/sales/store/sales.ts';

export const CONTROLS: readonly Control[] = [
  {
    name: 'cursor',
    what: 'A worker remembers its last event, and decides only later events',
    fault: 'calm',
    within: 20,
    edits: [
      {
        file: JOBS,
        instead:
          'where organization_id = $1 and dead_lettered_at is null and ${DUE} and event_id <= $3\n        order by event_id\n',
        put: 'where organization_id = $1 and dead_lettered_at is null and event_id <= $3 and event_id > $4\n        order by event_id\n',
      },
      {
        file: JOBS,
        instead: 'values: [organizationId, limit, last],',
        put: 'values: [organizationId, limit, last, cursors.get(organizationId) ?? 0],',
      },
      {
        file: JOBS,
        instead: 'return rows.sort((a, b) => a.eventId - b.eventId);',
        put: `const newest = rows.reduce((id, { eventId }) => Math.max(id, eventId), 0);
        if (newest > 0) cursors.set(organizationId, newest);
        return rows.sort((a, b) => a.eventId - b.eventId);`,
      },
      {
        file: JOBS,
        instead: 'export async function claimJobs(',
        put: 'const cursors = new Map();\nexport async function claimJobs(',
      },
    ],
    // Run only one worker, because a second worker with its own cursor would decide the events that the first worker
    // skips.
    system: { workers: 1 },
  },
  {
    name: 'floats',
    what: 'Amounts are read as floating-point numbers',
    fault: 'calm',
    within: 1,
    edits: [
      {
        file: 'src/core/contract/fields.ts',
        instead: ': parseMajor(text);',
        put: ': (BigInt(Math.trunc(Number(text) * 100)) as Minor);',
      },
    ],
  },
  {
    name: 'late-commit',
    what: 'PostgreSQL answers before a commit is in its log (`synchronous_commit = off`)',
    fault: 'kill-postgres',
    within: 12,
    edits: [{ file: 'src/platform/postgres/durability.ts', instead: `'synchronous_commit', `, put: '' }],
    system: { postgres: { synchronous_commit: 'off' } },
  },
  {
    name: 'no-row-lock',
    what: 'The decision of a sale and the processing of its refund don’t wait for each other',
    fault: 'calm',
    within: 20,
    edits: [
      {
        file: 'src/sales/store/transactions.ts',
        instead: 'order by id for no key update`',
        put: 'order by id`',
      },
      { file: 'src/sales/store/refunds.ts', instead: 'for no key update of t', put: '' },
    ],
  },
  {
    name: 'no-unique-key',
    what: 'Only the code ensures that an order exists once',
    fault: 'calm',
    within: 3,
    edits: [
      {
        file: SALES,
        instead: 'from placed\n  order by source collate "C"',
        put: `from placed p
        where not exists (select from transactions t
          where t.organization_id = $1 and t.source = p.source and t.external_id = p.external_id)
        order by source collate "C"`,
      },
      { file: SALES, instead: 'on conflict (organization_id, source, external_id) do nothing', put: '' },
    ],
    sql: 'alter table transactions drop constraint transactions_organization_id_source_external_id_key',
  },
];

/** Returns the options of a system that runs the service with the edits of a control. */
export function systemOf({ edits, system }: Control): SystemOptions {
  const editing = pathToFileURL(join(import.meta.dirname, 'edit-source.ts')).href;
  return {
    ...system,
    flags: [...(system?.flags ?? []), '--import', editing],
    settings: { ...system?.settings, [EDITS]: JSON.stringify(edits) },
  };
}
