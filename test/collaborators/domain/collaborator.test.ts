import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  COLLABORATOR_ACTIONS,
  COLLABORATOR_STATUSES,
  FIRST_COLLABORATOR_STATUSES,
  isApproval,
  normalizeTags,
  canCollaboratorBecome,
} from '#collaborators/domain/collaborator.ts';

it('a collaborator can be approved or rejected, deactivated, reactivated and deleted, and deletion is final', () => {
  const moves = COLLABORATOR_STATUSES.flatMap((from) =>
    COLLABORATOR_STATUSES.filter((to) => to !== from && canCollaboratorBecome(from, to)).map((to) => `${from} → ${to}`),
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

it('a collaborator can keep their status, and can’t be created as rejected or deleted', () => {
  assert.ok(COLLABORATOR_STATUSES.every((status) => canCollaboratorBecome(status, status)));
  assert.deepEqual(
    COLLABORATOR_STATUSES.filter((status) => !FIRST_COLLABORATOR_STATUSES.some((first) => first === status)),
    ['rejected', 'deleted'],
  );
});

it('bulk actions can activate, deactivate and reject collaborators, but not delete them', () => {
  assert.deepEqual(Object.values(COLLABORATOR_ACTIONS), ['active', 'inactive', 'rejected']);
});

it('isApproval: only the change from pending to active is an approval', () => {
  const approved = COLLABORATOR_STATUSES.flatMap((from) =>
    COLLABORATOR_STATUSES.filter((to) => isApproval(from, to)).map((to) => `${from} → ${to}`),
  );
  assert.deepEqual(approved, ['pending → active']);
});

it('tags are compared in lower case, without spaces around them, and blank tags are omitted', () => {
  assert.deepEqual(normalizeTags([' Press', 'press ', 'TV', ' ']), ['press', 'tv']);
});
