import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type InvitationLinkState, invitationLinkStatus } from '#portal/domain/invitation-link.ts';

describe('an invitation link', () => {
  const now = new Date('2026-11-29T12:00:00Z');
  const state: InvitationLinkState = { uses: 2, maxUses: 3, expiresAt: new Date(now.getTime() + 1), revokedAt: null };
  const cases = [
    ['is open below its maximum and before its expiry', {}, 'open'],
    ['is open without a maximum and without an expiry', { maxUses: null, expiresAt: null }, 'open'],
    ['is used up at its maximum', { uses: 3 }, 'used-up'],
    ['is expired at its expiry', { expiresAt: now }, 'expired'],
    ['is revoked, even if it is used up', { uses: 3, revokedAt: now }, 'revoked'],
  ] as const;
  for (const [name, change, status] of cases) {
    it(name, () => assert.equal(invitationLinkStatus({ ...state, ...change }, now), status));
  }
});
