import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CollaboratorId, OpportunityId, ProgramId, UserId } from '#core/ids.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import { placeVisit, touchesOf } from '#tracking/domain/visit.ts';
import { COUPON_APPLIED, SITE_VISIT } from '#programs/domain/custom-event.ts';

type Listening = Pick<ProgramVersion, 'programId' | 'status' | 'enrollment' | 'triggers'>;

function program(programId: number, change: Partial<Listening> = {}): ProgramVersion {
  const listening: Listening = {
    programId: programId as ProgramId,
    status: 'active',
    enrollment: 'everyone',
    triggers: { 'site-visit': 1 },
    ...change,
  };
  // The rest of a program's terms does not matter here.
  return listening as ProgramVersion;
}

const referrer = {
  collaboratorId: 7 as CollaboratorId,
  userId: null,
  enrolledIn: new Set([3 as ProgramId]),
};

describe('what a visit or signal touches', () => {
  const cases: [string, string, ProgramVersion[], [number, number][], string | null][] = [
    [
      'every program with the trigger on, with its points',
      SITE_VISIT,
      [program(1), program(2, { triggers: { 'site-visit': 5 } })],
      [
        [1, 1],
        [2, 5],
      ],
      null,
    ],
    [
      'by a coupon those with that trigger alone',
      COUPON_APPLIED,
      [program(1), program(2, { triggers: { 'coupon-applied': 4 } })],
      [[2, 4]],
      null,
    ],
    [
      'by a custom event those that have its slug',
      'quiz-done',
      [program(1), program(2, { triggers: { 'site-visit': 1, 'quiz-done': 9 } })],
      [[2, 9]],
      null,
    ],
    ['nothing where nobody listens', 'quiz-done', [program(1)], [], 'no-program'],
    ['nothing by what every object has', 'constructor', [program(1)], [], 'no-program'],
    ['nothing of a program that is not active', SITE_VISIT, [program(1, { status: 'inactive' })], [], 'no-program'],
    [
      'where only the selected earn, those who are enrolled',
      SITE_VISIT,
      [program(2, { enrollment: 'selected' }), program(3, { enrollment: 'selected' })],
      [[3, 1]],
      null,
    ],
    ['nothing where it is not enrolled', SITE_VISIT, [program(2, { enrollment: 'selected' })], [], 'not-enrolled'],
  ];
  for (const [name, trigger, programs, touched, reason] of cases) {
    it(name, () => {
      const found = touchesOf(referrer, programs, trigger);
      assert.deepEqual(
        found.touches.map(({ programId, points }) => [programId, points]),
        touched,
      );
      assert.equal(found.reason, reason);
    });
  }
});

describe('the opportunity for the visit of a known user', () => {
  const user = 42 as UserId;
  const of = (id: number, userId: number | null) => ({ id: id as OpportunityId, userId: userId as UserId | null });
  const cases: [string, ReturnType<typeof of> | undefined, ReturnType<typeof of> | undefined, object][] = [
    ['neither: a new one', undefined, undefined, { kind: 'create', userId: user }],
    ['only the user’s: that', undefined, of(5, 42), { kind: 'use', id: 5 }],
    ['only the header’s: it takes the user', of(6, null), undefined, { kind: 'claim', id: 6, userId: user }],
    ['the header’s is the user’s', of(5, 42), of(5, 42), { kind: 'use', id: 5 }],
    ['the header’s is another user’s: the user’s own', of(6, 9), of(5, 42), { kind: 'use', id: 5 }],
    ['the header’s is another user’s: a new one', of(6, 9), undefined, { kind: 'create', userId: user }],
    [
      'both: the one created first survives',
      of(6, null),
      of(5, 42),
      { kind: 'merge', survivor: 5, merged: 6, userId: user },
    ],
    ['both, the header’s older', of(4, null), of(5, 42), { kind: 'merge', survivor: 4, merged: 5, userId: user }],
  ];
  for (const [name, header, byUser, placement] of cases) {
    it(name, () => assert.deepEqual(placeVisit(user, header, byUser), placement));
  }
});
