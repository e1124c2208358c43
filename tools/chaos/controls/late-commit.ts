import type { Control } from '../control.ts';

export const control: Control = {
  name: 'late-commit',
  what: 'PostgreSQL answers before a commit is in its log (`synchronous_commit = off`)',
  fault: 'kill-postgres',
  within: 12,
  edits: [{ file: 'src/platform/postgres/durability.ts', instead: `'synchronous_commit', `, put: '' }],
  system: { postgres: { synchronous_commit: 'off' } },
};
