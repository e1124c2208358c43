import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FIRST_PROGRAM_STATUSES, mayProgramBecome, PROGRAM_STATUSES } from '#domain/program.ts';

it('a program goes from draft to active, rests and comes back, and is deleted for good', () => {
  const moves = PROGRAM_STATUSES.flatMap((from) =>
    PROGRAM_STATUSES.filter((to) => to !== from && mayProgramBecome(from, to)).map((to) => `${from} → ${to}`),
  );
  assert.deepEqual(moves, [
    'draft → active',
    'draft → deleted',
    'active → inactive',
    'active → deleted',
    'inactive → active',
    'inactive → deleted',
  ]);
});

it('a program may stay as it is, and never begins deleted', () => {
  assert.ok(PROGRAM_STATUSES.every((status) => mayProgramBecome(status, status)));
  assert.deepEqual(
    PROGRAM_STATUSES.filter((status) => !FIRST_PROGRAM_STATUSES.some((first) => first === status)),
    ['deleted'],
  );
});
