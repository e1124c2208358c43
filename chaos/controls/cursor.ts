import type { Control } from '../control.ts';

export const control: Control = {
  name: 'cursor',
  what: 'A worker remembers the last event that it has done, and takes those after it',
  fault: 'calm',
  within: 5,
  edits: [
    {
      file: 'src/store/jobs.ts',
      instead: 'where organization_id = $1 and parked_at is null and run_at <= now()\n        order by event_id\n',
      put: 'where organization_id = $1 and parked_at is null and event_id > $3\n        order by event_id\n',
    },
    {
      file: 'src/store/jobs.ts',
      instead: 'values: [organizationId, limit],',
      put: 'values: [organizationId, limit, cursors.get(organizationId) ?? 0],',
    },
    {
      file: 'src/store/jobs.ts',
      instead: 'return rows.sort((a, b) => a.eventId - b.eventId);',
      put: `const last = rows.reduce((last, { eventId }) => Math.max(last, eventId), 0);
        if (last > 0) cursors.set(organizationId, last);
        return rows.sort((a, b) => a.eventId - b.eventId);`,
    },
    {
      file: 'src/store/jobs.ts',
      instead: 'export async function claimJobs(',
      put: 'const cursors = new Map();\nexport async function claimJobs(',
    },
  ],
  // Two with a cursor each would do everything twice.
  system: { workers: 1 },
};
