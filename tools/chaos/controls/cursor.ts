import type { Control } from '../control.ts';

export const control: Control = {
  name: 'cursor',
  what: 'A worker remembers the last event that it has done, and takes those after it',
  fault: 'calm',
  within: 5,
  edits: [
    {
      file: 'src/platform/worker/jobs.ts',
      instead:
        'where organization_id = $1 and parked_at is null and ${DUE} and event_id <= $3\n        order by event_id\n',
      put: 'where organization_id = $1 and parked_at is null and event_id <= $3 and event_id > $4\n        order by event_id\n',
    },
    {
      file: 'src/platform/worker/jobs.ts',
      instead: 'values: [organizationId, limit, last],',
      put: 'values: [organizationId, limit, last, cursors.get(organizationId) ?? 0],',
    },
    {
      file: 'src/platform/worker/jobs.ts',
      instead: 'return rows.sort((a, b) => a.eventId - b.eventId);',
      put: `const newest = rows.reduce((id, { eventId }) => Math.max(id, eventId), 0);
        if (newest > 0) cursors.set(organizationId, newest);
        return rows.sort((a, b) => a.eventId - b.eventId);`,
    },
    {
      file: 'src/platform/worker/jobs.ts',
      instead: 'export async function claimJobs(',
      put: 'const cursors = new Map();\nexport async function claimJobs(',
    },
  ],
  // Two workers with a cursor each would process everything twice.
  system: { workers: 1 },
};
