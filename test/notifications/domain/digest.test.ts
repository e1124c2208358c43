import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OrganizationId, PersonId } from '#core/ids.ts';
import { confirmationToken, readConfirmationToken } from '#notifications/domain/confirmation-token.ts';
import { readUnsubscribeToken, unsubscribeToken } from '#notifications/domain/unsubscribe-token.ts';

it('a confirmation token names one person, and is invalid with another key and for unsubscribing', () => {
  const key = Buffer.alloc(32, 1);
  const person = { organizationId: 3 as OrganizationId, personId: 7 as PersonId };
  const token = confirmationToken(key, person);
  assert.deepEqual(readConfirmationToken(key, token), person);
  assert.equal(readConfirmationToken(Buffer.alloc(32, 2), token), undefined);
  assert.equal(readUnsubscribeToken(key, token), undefined);
  const digest = { ...person, kind: 'digest' } as const;
  const unsubscribing = unsubscribeToken(key, digest);
  assert.deepEqual(readUnsubscribeToken(key, unsubscribing), digest);
  assert.equal(readConfirmationToken(key, unsubscribing), undefined);
});
