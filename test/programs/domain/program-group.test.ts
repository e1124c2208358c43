import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { ProgramGroupId, ProgramId } from '#core/ids.ts';
import type { GroupRule, ProgramStatus } from '#programs/domain/program.ts';
import { sortMembers, type Member, memberFaults } from '#programs/domain/program-group.ts';
import { touched } from '../../support/decision-facts.ts';
import { type GroupedClaim, losersInGroups } from '#attribution/domain/group-rivals.ts';

/**
 * Returns a claim in program `p` with its first and last touch events. Without a group rule, the program is in no
 * group.
 */
function claim(p: number, first: number, last: number, groupRule: GroupRule | null, group = 1): GroupedClaim {
  const groupId = groupRule === null ? null : (group as ProgramGroupId);
  return { program: { programId: p as ProgramId, groupId }, groupRule, score: 1, ...touched(first, last) };
}

describe('programs of a group (losersInGroups)', () => {
  const cases: readonly [name: string, claims: GroupedClaim[], losers: number[]][] = [
    ['the program with the newest touch wins', [claim(1, 1, 9, 'newest'), claim(2, 2, 10, 'newest')], [1]],
    ['the program with the oldest touch wins', [claim(1, 2, 10, 'oldest'), claim(2, 1, 9, 'oldest')], [1]],
    [
      'a program wins by the newest touch of any of its claims',
      [claim(1, 1, 1, 'newest'), claim(1, 5, 12, 'newest'), claim(2, 2, 10, 'newest')],
      [2],
    ],
    [
      'a tie of newest touches is won by the program with the older first touch',
      [claim(1, 2, 9, 'newest'), claim(2, 1, 9, 'newest')],
      [1],
    ],
    [
      'a tie of both touches is won by the program created first',
      [claim(2, 1, 1, 'newest'), claim(1, 1, 1, 'newest')],
      [2],
    ],
    [
      'a tie of oldest touches is won by the program created first',
      [claim(2, 1, 9, 'oldest'), claim(1, 1, 2, 'oldest')],
      [2],
    ],
    [
      'each group is decided separately',
      [
        claim(1, 1, 1, 'newest', 1),
        claim(2, 2, 2, 'newest', 1),
        claim(3, 3, 3, 'oldest', 2),
        claim(4, 4, 4, 'oldest', 2),
      ],
      [1, 4],
    ],
    ['a program without a group never loses', [claim(1, 1, 1, null), claim(2, 2, 2, null)], []],
    ['the only program of a group never loses', [claim(1, 1, 1, 'newest'), claim(1, 2, 2, 'newest')], []],
    ['no program loses without claims', [], []],
  ];
  for (const [name, claims, losers] of cases) {
    it(name, () => assert.deepEqual([...losersInGroups(claims)], losers));
  }

  it('exactly one program of a group wins, in any order of claims', () => {
    const touch = fc.record({ program: fc.integer({ min: 1, max: 5 }), first: fc.nat(20), length: fc.nat(20) });
    fc.assert(
      fc.property(
        fc.array(touch, { minLength: 1 }),
        fc.constantFrom<GroupRule>('newest', 'oldest'),
        (touches, rule) => {
          const claims = touches.map((each) => claim(each.program, each.first, each.first + each.length, rule));
          const losers = losersInGroups(claims);
          assert.equal(new Set(claims.map(({ program }) => program.programId)).size - losers.size, 1);
          assert.deepEqual(losersInGroups(claims.toReversed()), losers);
        },
      ),
    );
  });
});

describe('the program ids of a group', () => {
  const member = (group: number | null, status: ProgramStatus = 'active'): Member => ({
    fields: { status, groupId: group as ProgramGroupId | null },
  });
  const ids = (...numbers: number[]) => numbers as ProgramId[];
  const programs = new Map(
    [member(null), member(1), member(2), member(null, 'deleted')].map((each, n) => [(n + 1) as ProgramId, each]),
  );
  const faults = (group: number | null, ...wanted: number[]) =>
    memberFaults(group as ProgramGroupId | null, ids(...wanted), programs).map(({ pointer, code }) => [pointer, code]);

  it('must be existing programs that are in no other group', () => {
    assert.deepEqual(faults(1, 1, 2), []);
    assert.deepEqual(faults(1, 1, 3, 4, 5), [
      ['/programIds/1', 'in-another-group'],
      ['/programIds/2', 'unknown-program'],
      ['/programIds/3', 'unknown-program'],
    ]);
  });

  it('must be in no group at all if the group is new', () => {
    assert.deepEqual(faults(null, 1, 2), [['/programIds/1', 'in-another-group']]);
  });

  it('sortMembers: program ids are deduplicated and sorted, and stay absent if not given', () => {
    assert.deepEqual(sortMembers({ name: 'Both', programIds: ids(3, 1, 3) }), { name: 'Both', programIds: [1, 3] });
    assert.deepEqual(sortMembers<{ programIds?: readonly ProgramId[] }>({}), {});
  });
});
