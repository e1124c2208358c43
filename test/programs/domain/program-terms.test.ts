import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOLDS_OFF, PLAIN_TERMS } from '../../support/plain-terms.ts';
import type { CollaboratorId, ProgramGroupId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { LineFilter } from '#programs/domain/line-filter.ts';
import type { ProgramTerms, Reward, Tiers } from '#programs/domain/program.ts';
import {
  defaultPays,
  faultsOf,
  isDecidedInOrder,
  sortRewards,
  tooLongPatterns,
  tooManyRewards,
  unknownReferences,
} from '#programs/domain/program-terms.ts';

const PERCENT: Reward = { type: 'percent', ratePpm: 100_000 };
const PER_SALE: Reward = { type: 'per-sale', amount: 500n as Minor };
const PER_LEAD: Reward = { type: 'per-lead', amount: 500n as Minor };
const LEADS = { reward: PER_LEAD, pays: ['lead'] } as const;
const YEAR = { months: 12, times: null };
const ADA = 7 as CollaboratorId;
const BO = 8 as CollaboratorId;

function terms(change: Partial<ProgramTerms> = {}): ProgramTerms {
  return { ...PLAIN_TERMS, ...change };
}

function tiers(...steps: (readonly [from: bigint, reward: Reward])[]): Tiers {
  return { period: 'month', by: 'sum', steps: steps.map(([from, reward]) => ({ from, reward })) };
}

const rates = (minConversionRate: number | null, maxConversionRate: number | null) => ({
  ...HOLDS_OFF,
  minConversionRate,
  maxConversionRate,
});
const aged = (...steps: (readonly [afterMonths: number, reward: Reward])[]) =>
  steps.map(([afterMonths, reward]) => ({ afterMonths, reward }));
const own = (collaboratorId: CollaboratorId, reward: Reward) => ({ collaboratorId, reward });

describe('a program’s terms', () => {
  for (const [promise, change, faults] of [
    ['can consist of a reward alone', {}, []],
    ['can pay sales and renewals', { pays: ['sale', 'renewal'] }, []],
    ['can pay only renewals', { pays: ['renewal'], reward: PER_SALE }, []],
    ['can pay leads with a reward per lead', LEADS, []],
    ['can’t pay sales with a reward per lead', { reward: PER_LEAD, pays: ['sale'] }, ['/pays conflicting']],
    ['can’t pay both leads and sales', { reward: PER_LEAD, pays: ['sale', 'lead'] }, ['/pays conflicting']],
    ['can’t pay leads with a percentage', { pays: ['lead'] }, ['/pays conflicting']],
    ['can’t pay leads with a reward per sale', { reward: PER_SALE, pays: ['sale', 'lead'] }, ['/pays conflicting']],
    ['can combine a percentage with fixed rewards', { tiers: tiers([1n, PER_SALE], [2n, PERCENT]) }, []],
    [
      'can’t combine a reward per lead with other rewards',
      { tiers: tiers([1n, PERCENT], [2n, PER_LEAD]), collaboratorRewards: [own(ADA, PER_SALE), own(BO, PER_LEAD)] },
      ['/tiers/steps/1/reward/type conflicting', '/collaboratorRewards/1/reward/type conflicting'],
    ],
    [
      'can’t mix another reward into rewards per lead',
      { ...LEADS, tiers: tiers([1n, PER_SALE], [2n, PER_LEAD]), collaboratorRewards: [own(ADA, PERCENT)] },
      ['/tiers/steps/0/reward/type conflicting', '/collaboratorRewards/0/reward/type conflicting'],
    ],
    [
      'must have tiers with increasing thresholds',
      { tiers: tiers([5n, PERCENT], [5n, PERCENT], [7n, PERCENT], [6n, PERCENT], [8n, PERCENT]) },
      ['/tiers/steps/1/from not-rising', '/tiers/steps/3/from not-rising'],
    ],
    [
      'must have only one reward for each collaborator',
      { collaboratorRewards: [own(ADA, PERCENT), own(BO, PERCENT), own(ADA, PER_SALE), own(ADA, PERCENT)] },
      ['/collaboratorRewards/2/collaboratorId duplicate', '/collaboratorRewards/3/collaboratorId duplicate'],
    ],
    ['can limit renewals if they pay renewals', { pays: ['sale', 'renewal'], renewalLimit: YEAR }, []],
    ['can’t limit renewals if they don’t pay renewals', { renewalLimit: YEAR }, ['/renewals conflicting']],
    [
      'can have rewards for different ages of renewals, in ascending order',
      { pays: ['sale', 'renewal'], renewalRewards: aged([0, PERCENT], [12, PER_SALE]) },
      [],
    ],
    [
      'can’t have rewards for renewals if they don’t pay renewals',
      { renewalRewards: aged([12, PERCENT]) },
      ['/renewalRewards conflicting'],
    ],
    [
      'can’t have two rewards for the same age of renewals, or a reward per lead for renewals',
      { pays: ['renewal'], renewalRewards: aged([12, PERCENT], [12, PER_LEAD]) },
      ['/renewalRewards/1/reward/type conflicting', '/renewalRewards/1/afterMonths not-rising'],
    ],
    ['can approve immediately', { autoApprove: true }, []],
    ['can approve after some days', { approveAfterDays: 0 }, []],
    ['can have a minimum and a maximum conversion rate', { holds: rates(5, 5) }, []],
    ['can have one limit of the conversion rate', { holds: rates(5, null) }, []],
    [
      'can’t have a minimum conversion rate above the maximum',
      { holds: rates(30, 0.05) },
      ['/holds/minConversionRate conflicting'],
    ],
    [
      'can’t approve both immediately and after some days',
      { autoApprove: true, approveAfterDays: 0 },
      ['/approveAfterDays conflicting'],
    ],
    [
      'are refused with all faults at once',
      { reward: PER_LEAD, tiers: tiers([1n, PERCENT]), renewalLimit: YEAR, autoApprove: true, approveAfterDays: 1 },
      [
        '/pays conflicting',
        '/tiers/steps/0/reward/type conflicting',
        '/renewals conflicting',
        '/approveAfterDays conflicting',
      ],
    ],
    ['can have any values if the program is deleted', { status: 'deleted', pays: ['lead'] }, []],
  ] as const satisfies readonly (readonly [string, Partial<ProgramTerms>, readonly string[]])[]) {
    it(promise, () => {
      assert.deepEqual(
        faultsOf(terms(change)).map(({ pointer, code }) => `${pointer} ${code}`),
        faults,
      );
    });
  }

  it('can only refer to existing groups, collaborators and custom events', () => {
    const known = {
      groupIds: new Set([3 as ProgramGroupId]),
      collaboratorIds: new Set([ADA]),
      slugs: new Set(['quiz-done']),
    };
    const triggers = { 'site-visit': 1, 'coupon-applied': 1, 'quiz-done': 1, signup: 1 };
    const given = { triggers, collaboratorRewards: [own(ADA, PERCENT), own(BO, PERCENT)] };
    assert.deepEqual(
      unknownReferences({ ...given, groupId: 4 as ProgramGroupId }, known).map(({ pointer, code }) => [pointer, code]),
      [
        ['/groupId', 'unknown-group'],
        ['/triggers/signup', 'unknown-trigger'],
        ['/collaboratorRewards/1/collaboratorId', 'unknown-collaborator'],
      ],
    );
    assert.deepEqual(unknownReferences({ groupId: 3 as ProgramGroupId }, known), []);
    assert.deepEqual(unknownReferences({ groupId: null }, known), []);
  });

  it('have patterns with `*` of at most 2,000 characters together with the other programs of the organization', () => {
    const filter = (length: number): LineFilter => ({
      include: [],
      exclude: [{ by: 'name', pattern: `*${'x'.repeat(length - 1)}` }],
    });
    const exact: LineFilter = { include: [{ by: 'name', pattern: 'x'.repeat(3_000) }], exclude: [] };
    assert.deepEqual(tooLongPatterns(filter(2_000), []), []);
    assert.deepEqual(tooLongPatterns(filter(500), [filter(1_500), exact]), []);
    const [fault, ...others] = tooLongPatterns(filter(501), [filter(1_500)]);
    assert.deepEqual([fault?.pointer, fault?.code, others], ['/lineFilter', 'too-long', []]);
    assert.match(fault?.detail ?? '', /and 500 are left/);
    // The existing programs can exceed the limit, because an earlier release had no limit. A program without a `*`
    // is still accepted.
    for (const own of [null, exact]) assert.deepEqual(tooLongPatterns(own, [filter(2_500)]), []);
    assert.match(tooLongPatterns(filter(2), [filter(2_500)])[0]?.detail ?? '', /and 0 are left/);
  });

  it('have at most 20,000 custom rates together with the other programs', () => {
    assert.deepEqual(tooManyRewards(1_000, 19_000), []);
    const [fault, ...others] = tooManyRewards(1_000, 19_001);
    assert.deepEqual([fault?.pointer, fault?.code, others], ['/collaboratorRewards', 'too-many', []]);
    assert.match(fault?.detail ?? '', /and 999 are left/);
    assert.match(tooManyRewards(1, 20_001)[0]?.detail ?? '', /and 0 are left/);
  });

  it('pay leads by default if the reward is per lead, and sales otherwise', () => {
    assert.deepEqual(defaultPays(PER_LEAD), ['lead']);
    for (const reward of [PERCENT, PER_SALE]) assert.deepEqual(defaultPays(reward), ['sale']);
  });

  it('sort collaborator rewards by collaborator id, regardless of the input order', () => {
    const kept = sortRewards({ collaboratorRewards: [own(BO, PERCENT), own(ADA, PERCENT)] });
    assert.deepEqual(
      kept.collaboratorRewards.map(({ collaboratorId }) => collaboratorId),
      [ADA, BO],
    );
    assert.deepEqual(sortRewards({}), {});
  });

  it('need decisions in order if they have tiers, a cap per period or one credit per opportunity', () => {
    const capPerPeriod = { period: 'day', amount: 1n as Minor } as const;
    for (const [change, ordered] of [
      [{}, false],
      [{ capPerOrder: 1n as Minor, minimumOrder: 1n as Minor }, false],
      [{ creditsPer: 'opportunity' }, true],
      [{ tiers: tiers([1n, PERCENT]) }, true],
      [{ capPerPeriod }, true],
    ] as const) {
      assert.equal(isDecidedInOrder(terms(change)), ordered);
    }
  });
});
