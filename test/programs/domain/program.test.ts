import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FIRST_PROGRAM_STATUSES, canProgramBecome, PROGRAM_STATUSES } from '#programs/domain/program.ts';

it('a program can be activated, deactivated, reactivated and deleted, and deletion is final', () => {
  const moves = PROGRAM_STATUSES.flatMap((from) =>
    PROGRAM_STATUSES.filter((to) => to !== from && canProgramBecome(from, to)).map((to) => `${from} → ${to}`),
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

it('a program can keep its status, and can’t be created as deleted', () => {
  assert.ok(PROGRAM_STATUSES.every((status) => canProgramBecome(status, status)));
  assert.deepEqual(
    PROGRAM_STATUSES.filter((status) => !FIRST_PROGRAM_STATUSES.some((first) => first === status)),
    ['deleted'],
  );
});
