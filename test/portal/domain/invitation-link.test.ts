import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Minor } from '#core/money.ts';
import { MAX_CUSTOM_RATES, MAX_OWN_REWARDS } from '#programs/domain/program-terms.ts';
import { type InvitationLinkState, invitationLinkStatus } from '#portal/domain/invitation-link.ts';

describe('an invitation link', () => {
  const now = new Date('2026-11-29T12:00:00Z');
  const state: InvitationLinkState = {
    uses: 2,
    maxUses: 3,
    expiresAt: new Date(now.getTime() + 1),
    revokedAt: null,
    reward: null,
    program: { reward: { type: 'percent' }, customRates: MAX_OWN_REWARDS },
  };
  const reward = { type: 'per-sale', amount: 500n as Minor } as const;
  const cases = [
    ['is open below its maximum and before its expiry', {}, 'open'],
    ['is open without a maximum and without an expiry', { maxUses: null, expiresAt: null }, 'open'],
    ['is used up at its maximum', { uses: 3 }, 'used-up'],
    ['is expired at its expiry', { expiresAt: now }, 'expired'],
    ['with a reward is blocked if the program has the maximum number of custom rates', { reward }, 'blocked'],
    [
      'with a reward is open if the program can have one more custom rate',
      { reward, program: { ...state.program, customRates: MAX_OWN_REWARDS - 1 } },
      'open',
    ],
    [
      'is blocked if all programs together have the maximum number of custom rates',
      { reward, program: { ...state.program, customRates: 0 } },
      'blocked',
      MAX_CUSTOM_RATES,
    ],
    [
      'without a rate is open, even if all programs together have the maximum number of custom rates',
      {},
      'open',
      MAX_CUSTOM_RATES,
    ],
    [
      'is blocked if its reward is for sales, but the program’s reward is for leads',
      { reward, program: { reward: { type: 'per-lead' }, customRates: 0 } },
      'blocked',
    ],
    ['is revoked, even if it is used up', { uses: 3, revokedAt: now }, 'revoked'],
  ] as const;
  for (const [name, change, status, totalRates = MAX_CUSTOM_RATES - 1] of cases) {
    it(name, () => assert.equal(invitationLinkStatus({ ...state, ...change }, totalRates, now), status));
  }
});
