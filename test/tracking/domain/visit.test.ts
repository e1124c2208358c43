import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CollaboratorId, OpportunityId, ProgramId, UserId } from '#core/ids.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import { placeVisit, touchesOf } from '#tracking/domain/visit.ts';
import { COUPON_APPLIED, SITE_VISIT } from '#programs/domain/custom-event.ts';

type Listener = Pick<ProgramVersion, 'programId' | 'status' | 'enrollment' | 'triggers'>;

function program(programId: number, change: Partial<Listener> = {}): ProgramVersion {
  const listening: Listener = {
    programId: programId as ProgramId,
    status: 'active',
    enrollment: 'everyone',
    triggers: { 'site-visit': 1 },
    ...change,
  };
  // The cast is safe, because touchesOf reads only the terms in `listening`.
  return listening as ProgramVersion;
}

const referrer = {
  collaboratorId: 7 as CollaboratorId,
  userId: null,
  enrolledIn: new Set([3 as ProgramId]),
};

describe('touchesOf: a visit, coupon or custom event', () => {
  const cases: [string, string, ProgramVersion[], [number, number][], string | null][] = [
    [
      'touches each program with the trigger in which the collaborator can earn, with the points of its trigger',
      SITE_VISIT,
      [program(1), program(2, { triggers: { 'site-visit': 5 } })],
      [
        [1, 1],
        [2, 5],
      ],
      null,
    ],
    [
      'touches only the programs with a coupon trigger if a coupon was applied',
      COUPON_APPLIED,
      [program(1), program(2, { triggers: { 'coupon-applied': 4 } })],
      [[2, 4]],
      null,
    ],
    [
      'touches only the programs with the slug as a trigger if a custom event occurred',
      'quiz-done',
      [program(1), program(2, { triggers: { 'site-visit': 1, 'quiz-done': 9 } })],
      [[2, 9]],
      null,
    ],
    ['touches no program if no program has the trigger', 'quiz-done', [program(1)], [], 'no-program'],
    [
      'touches no program if the trigger has the name of an inherited property',
      'constructor',
      [program(1)],
      [],
      'no-program',
    ],
    ['touches no inactive program', SITE_VISIT, [program(1, { status: 'inactive' })], [], 'no-program'],
    [
      'touches only programs in which the collaborator is enrolled, if enrollment is selected',
      SITE_VISIT,
      [program(2, { enrollment: 'selected' }), program(3, { enrollment: 'selected' })],
      [[3, 1]],
      null,
    ],
    [
      'touches no program with selected enrollment if the collaborator is not enrolled',
      SITE_VISIT,
      [program(2, { enrollment: 'selected' })],
      [],
      'not-enrolled',
    ],
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

describe('placeVisit: the opportunity for a visit by a known user', () => {
  const user = 42 as UserId;
  const of = (id: number, userId: number | null) => ({ id: id as OpportunityId, userId: userId as UserId | null });
  const cases: [string, ReturnType<typeof of> | undefined, ReturnType<typeof of> | undefined, object][] = [
    [
      'is a new opportunity if neither the header nor the user has an opportunity',
      undefined,
      undefined,
      { kind: 'create', userId: user },
    ],
    ['is the user’s opportunity if there is no header', undefined, of(5, 42), { kind: 'use', id: 5 }],
    [
      'is the header’s opportunity, which is assigned to the user',
      of(6, null),
      undefined,
      { kind: 'claim', id: 6, userId: user },
    ],
    ['is the common opportunity of the header and the user', of(5, 42), of(5, 42), { kind: 'use', id: 5 }],
    [
      'is the user’s opportunity if the header’s opportunity belongs to another user',
      of(6, 9),
      of(5, 42),
      { kind: 'use', id: 5 },
    ],
    [
      'is a new opportunity if the header’s opportunity belongs to another user, and the user has no opportunity',
      of(6, 9),
      undefined,
      { kind: 'create', userId: user },
    ],
    [
      'is the user’s older opportunity, into which the header’s opportunity is merged',
      of(6, null),
      of(5, 42),
      { kind: 'merge', survivor: 5, merged: 6, userId: user },
    ],
    [
      'is the header’s older opportunity, into which the user’s opportunity is merged',
      of(4, null),
      of(5, 42),
      { kind: 'merge', survivor: 4, merged: 5, userId: user },
    ],
  ];
  for (const [name, header, byUser, placement] of cases) {
    it(name, () => assert.deepEqual(placeVisit(user, header, byUser), placement));
  }
});
