import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  COLLABORATOR_ACTIONS,
  COLLABORATOR_STATUSES,
  FIRST_COLLABORATOR_STATUSES,
  isApproval,
  mayCollaboratorBecome,
} from '#domain/collaborator.ts';

it('a collaborator is let in or turned away, rests and comes back, and is deleted for good', () => {
  const moves = COLLABORATOR_STATUSES.flatMap((from) =>
    COLLABORATOR_STATUSES.filter((to) => to !== from && mayCollaboratorBecome(from, to)).map((to) => `${from} → ${to}`),
  );
  assert.deepEqual(moves, [
    'pending → active',
    'pending → rejected',
    'pending → deleted',
    'active → inactive',
    'active → deleted',
    'inactive → active',
    'inactive → deleted',
    'rejected → deleted',
  ]);
});

it('a collaborator may stay as it is, and never begins rejected or deleted', () => {
  assert.ok(COLLABORATOR_STATUSES.every((status) => mayCollaboratorBecome(status, status)));
  assert.deepEqual(
    COLLABORATOR_STATUSES.filter((status) => !FIRST_COLLABORATOR_STATUSES.some((first) => first === status)),
    ['rejected', 'deleted'],
  );
});

it('many at once may be let in, laid to rest and turned away, never deleted', () => {
  assert.deepEqual(Object.values(COLLABORATOR_ACTIONS), ['active', 'inactive', 'rejected']);
});

it('who has waited is let in, and nobody else: who rested was in already', () => {
  const approved = COLLABORATOR_STATUSES.flatMap((from) =>
    COLLABORATOR_STATUSES.filter((to) => isApproval(from, to)).map((to) => `${from} → ${to}`),
  );
  assert.deepEqual(approved, ['pending → active']);
});
