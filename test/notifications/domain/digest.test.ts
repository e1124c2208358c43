import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OrganizationId, PersonId } from '#core/ids.ts';
import { confirmationToken, readConfirmationToken } from '#notifications/domain/confirmation-token.ts';
import { digestDayAt } from '#notifications/domain/digest.ts';
import { readUnsubscribeToken, unsubscribeToken } from '#notifications/domain/unsubscribe-token.ts';

it('a day of digests begins at 07:00 UTC, and weekly digests are sent on Mondays', () => {
  const days = ['2026-11-30T06:59:59.999Z', '2026-11-30T07:00:00Z', '2026-12-01T06:59:59Z', '2026-12-01T07:00:00Z'];
  assert.deepEqual(
    days.map((now) => digestDayAt(new Date(now))),
    [
      { date: '2026-11-29', startedAt: new Date('2026-11-29T07:00:00Z'), frequencies: ['daily'] },
      { date: '2026-11-30', startedAt: new Date('2026-11-30T07:00:00Z'), frequencies: ['daily', 'weekly'] },
      { date: '2026-11-30', startedAt: new Date('2026-11-30T07:00:00Z'), frequencies: ['daily', 'weekly'] },
      { date: '2026-12-01', startedAt: new Date('2026-12-01T07:00:00Z'), frequencies: ['daily'] },
    ],
  );
});

it('a confirmation token names one person, and is neither valid with another key nor for unsubscribing', () => {
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
