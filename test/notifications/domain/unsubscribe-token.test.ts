import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CollaboratorId, OrganizationId } from '#core/ids.ts';
import { readUnsubscribeToken, unsubscribeToken } from '#notifications/domain/unsubscribe-token.ts';

const KEY = Buffer.alloc(32, 1);
const SUBSCRIPTION = {
  organizationId: 3 as OrganizationId,
  collaboratorId: 7 as CollaboratorId,
  kind: 'paid',
} as const;

it('an unsubscribe token names one partner and one kind of email, and is invalid once it is changed', () => {
  const token = unsubscribeToken(KEY, SUBSCRIPTION);
  assert.deepEqual(readUnsubscribeToken(KEY, token), SUBSCRIPTION);
  const mac = token.slice(token.lastIndexOf('.'));
  for (const changed of [
    '',
    'x',
    `3.7.paid`,
    `3.7.paid.`,
    `3.7.login${mac}`,
    `3.8.paid${mac}`,
    `4.7.paid${mac}`,
    `${token}AAAA`,
  ]) {
    assert.equal(readUnsubscribeToken(KEY, changed), undefined, changed);
  }
  assert.equal(readUnsubscribeToken(Buffer.alloc(32, 2), token), undefined);
});
