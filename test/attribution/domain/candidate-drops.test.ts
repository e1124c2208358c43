import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DropReason } from '#attribution/domain/explanation.ts';
import type { CollaboratorId, EventId, UserId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import { decideSale } from '#attribution/domain/sale-decision.ts';
import type { Candidate, Sale } from '#attribution/domain/facts.ts';
import {
  at,
  type CandidateChange,
  candidate,
  DAY,
  earned,
  fixed,
  lead,
  line,
  minor,
  percent,
  program,
  reasons,
  renewal,
  sale,
  shares,
  SOLD_AT,
} from '../../support/decision-facts.ts';

const EARLIER = 1 as EventId;
const COUNTED_IN_EUROS = { currency: 'EUR' } as const;
const OWN_PERCENT = [{ collaboratorId: 1 as CollaboratorId, reward: percent(20) }];
const OWN_FIXED = [{ collaboratorId: 1 as CollaboratorId, reward: fixed('per-sale', 500) }];
const LONG_AGO = (SOLD_AT - 30 * DAY - 1) as Instant;

/** Returns the outcome of the only candidate: its drop reason, or "won". */
function outcome(given: Sale, terms: Partial<ProgramVersion>, change: CandidateChange = {}): DropReason | 'won' {
  const decision = decideSale(given, [candidate(1, { program: program(terms), ...change })], []);
  return reasons(decision)[1] as DropReason | 'won';
}

describe('a candidate of a sale is dropped', () => {
  const cases: readonly [DropReason, string, Partial<ProgramVersion>, CandidateChange, Partial<Sale>][] = [
    ['program-inactive', 'the program is inactive', { status: 'inactive' }, {}, {}],
    ['event-not-paid', 'the program pays only for leads', { pays: ['lead'] }, {}, {}],
    ['event-not-paid', 'the program’s reward is per lead', { reward: fixed('per-lead', 500) }, {}, {}],
    ['collaborator-inactive', 'the collaborator is not active', {}, { collaborator: { active: false } }, {}],
    ['not-enrolled', 'the collaborator is not enrolled', { enrollment: 'selected' }, {}, {}],
    [
      'self-referral',
      'the collaborator is the buyer',
      {},
      { collaborator: { userId: 7 as UserId } },
      { visitorUserId: 7 as UserId },
    ],
    ['already-credited', 'an earlier sale completed the engagement', {}, { completedBy: EARLIER }, {}],
    ['window-expired', 'the last touch was too long ago', {}, { lastAt: LONG_AGO }, {}],
    [
      'currency-mismatch',
      'the program’s reward is a fixed amount in another currency',
      { ...COUNTED_IN_EUROS, reward: fixed('per-sale', 500) },
      {},
      {},
    ],
    [
      'currency-mismatch',
      'the collaborator’s own reward is a fixed amount in another currency',
      { ...COUNTED_IN_EUROS, collaboratorRewards: OWN_FIXED },
      {},
      {},
    ],
    [
      'currency-mismatch',
      'the program has a cap per order in another currency',
      { ...COUNTED_IN_EUROS, capPerOrder: minor(1) },
      {},
      {},
    ],
    [
      'currency-mismatch',
      'the program has a cap per period in another currency',
      { ...COUNTED_IN_EUROS, capPerPeriod: { period: 'day', amount: minor(1) } },
      {},
      {},
    ],
    [
      'currency-mismatch',
      'the program has a minimum order in another currency',
      { ...COUNTED_IN_EUROS, minimumOrder: minor(1) },
      {},
      {},
    ],
    [
      'currency-mismatch',
      'the tiers count amounts in another currency',
      { ...COUNTED_IN_EUROS, tiers: { period: 'day', by: 'sum', steps: [] } },
      {},
      {},
    ],
    [
      'currency-mismatch',
      'the reward of the reached tier is a fixed amount in another currency',
      {
        ...COUNTED_IN_EUROS,
        tiers: { period: 'day', by: 'count', steps: [{ from: 1n, reward: fixed('per-sale', 500) }] },
      },
      { earned: { tier: earned(0, 1) } },
      {},
    ],
    ['nothing-counted', 'no line has a type that counts', {}, {}, { lines: [line(10_00, { type: 'shipping' })] }],
    [
      'nothing-counted',
      'the discounts reduce the counted amount to 0',
      {},
      {},
      { lines: [line(10_00), line(-10_00, { type: 'discount' })] },
    ],
    [
      'nothing-counted',
      'no line passes the filter',
      { lineFilter: { include: [{ by: 'name', pattern: 'hat*' }], exclude: [] } },
      {},
      {},
    ],
    ['below-minimum', 'the total is one cent below the minimum order', { minimumOrder: minor(100_01) }, {}, {}],
  ];
  for (const [reason, why, terms, change, given] of cases) {
    it(`${reason}: ${why}`, () => assert.equal(outcome(sale(given), terms, change), reason));
  }

  it('without an effect on a candidate of another program, which still earns', () => {
    for (const [, , terms, change, given] of cases.filter(
      ([reason]) => !['nothing-counted', 'below-minimum'].includes(reason),
    )) {
      const dropped = candidate(1, { program: program(terms), ...change });
      const other = candidate(2, { firstVisitId: candidate(0).firstVisitId, lastVisitId: candidate(0).lastVisitId });
      const decision = decideSale(
        sale(given),
        [dropped, { ...other, program: { ...other.program, programId: 2 as Candidate['program']['programId'] } }],
        [],
      );
      assert.deepEqual(shares(decision), [[2, 1000]]);
    }
  });
});

describe('a candidate of a sale is kept if it', () => {
  const cases: readonly [string, Partial<ProgramVersion>, CandidateChange, Partial<Sale>][] = [
    [
      'is enrolled in a program with selected enrollment',
      { enrollment: 'selected' },
      { collaborator: { enrolled: true } },
      {},
    ],
    [
      'belongs to a collaborator whose user is not the buyer',
      {},
      { collaborator: { userId: 7 as UserId } },
      { visitorUserId: 8 as UserId },
    ],
    [
      'belongs to a collaborator with a user id, and the buyer is unknown',
      {},
      { collaborator: { userId: 7 as UserId } },
      {},
    ],
    ['has its last touch exactly at the limit of the window', {}, { lastAt: (LONG_AGO + 1) as Instant }, {}],
    ['has a percentage reward, even if the program has another currency', COUNTED_IN_EUROS, {}, {}],
    [
      'has an individual percentage, even if the program’s reward is a fixed amount in another currency',
      { ...COUNTED_IN_EUROS, reward: fixed('per-sale', 5), collaboratorRewards: OWN_PERCENT },
      {},
      {},
    ],
    [
      'has an individual percentage, even if the tiers count amounts in another currency',
      { ...COUNTED_IN_EUROS, collaboratorRewards: OWN_PERCENT, tiers: { period: 'day', by: 'sum', steps: [] } },
      {},
      {},
    ],
    [
      'has not reached a tier whose reward is a fixed amount in another currency',
      {
        ...COUNTED_IN_EUROS,
        tiers: { period: 'day', by: 'count', steps: [{ from: 1n, reward: fixed('per-sale', 5) }] },
      },
      {},
      {},
    ],
    ['is for a sale with a total equal to the minimum order', { minimumOrder: minor(100_00) }, {}, {}],
  ];
  for (const [name, terms, change, given] of cases) {
    it(name, () => assert.equal(outcome(sale(given), terms, change), 'won'));
  }
});

describe('the first matching drop reason, in the order of the rules, is reported', () => {
  const order: readonly [DropReason, Partial<ProgramVersion>, CandidateChange, Partial<Sale>][] = [
    ['below-minimum', { minimumOrder: minor(100_01) }, {}, {}],
    ['nothing-counted', {}, {}, { lines: [line(0)] }],
    ['currency-mismatch', { currency: 'EUR' }, {}, {}],
    ['window-expired', {}, { lastAt: LONG_AGO }, {}],
    ['already-credited', {}, { completedBy: EARLIER }, {}],
    ['self-referral', {}, {}, { visitorUserId: 7 as UserId }],
    ['not-enrolled', { enrollment: 'selected' }, {}, {}],
    ['collaborator-inactive', {}, { collaborator: { active: false, userId: 7 as UserId } }, {}],
    ['event-not-paid', { pays: [] }, {}, {}],
    ['program-inactive', { status: 'inactive' }, {}, {}],
  ];
  const userId = 7 as UserId;
  order.forEach(([reason], index) => {
    const previous = order[index - 1]?.[0];
    it(previous ? `${reason} takes precedence over ${previous}` : `${reason} is reported if it alone matches`, () => {
      const upToHere = order.slice(0, index + 1);
      const terms = Object.assign({}, ...upToHere.map(([, each]) => each));
      const change = Object.assign({}, ...upToHere.map(([, , each]) => each));
      const given = Object.assign({}, ...upToHere.map(([, , , each]) => each));
      const collaborator = { active: true, userId, ...change.collaborator };
      assert.equal(outcome(sale(given), terms, { ...change, collaborator }), reason);
    });
  });
});

describe('a lead', () => {
  const perLead = { reward: fixed('per-lead', 2500), pays: ['lead'] } as const;

  it('is decided regardless of the currency, the lines and the minimum order', () => {
    assert.equal(outcome(lead(), { ...perLead, capPerOrder: minor(9999), minimumOrder: minor(1_00) }), 'won');
  });

  const cases: readonly [DropReason, string, Partial<ProgramVersion>, CandidateChange][] = [
    ['event-not-paid', 'the program pays only for sales', {}, {}],
    ['event-not-paid', 'the reward that applies is not per lead', { pays: ['lead'] }, {}],
    [
      'event-not-paid',
      'the candidate’s own reward is not per lead',
      { ...perLead, collaboratorRewards: OWN_PERCENT },
      {},
    ],
    ['already-credited', 'an earlier lead completed the engagement', perLead, { completedBy: EARLIER }],
    ['window-expired', 'the last touch was too long ago', perLead, { lastAt: LONG_AGO }],
  ];
  for (const [reason, why, terms, change] of cases) {
    it(`drops its candidate with ${reason} because ${why}`, () => assert.equal(outcome(lead(), terms, change), reason));
  }
});

describe('a renewal', () => {
  const soldAt = at('2026-01-31T12:00:00Z');
  const paid = { pays: ['renewal'] } as const;
  const claim: CandidateChange = { weight: 1n, lastAt: soldAt };
  const renewedAt = (number: number, time: string) => renewal(number, soldAt, { soldAt: at(time) });

  it('is decided regardless of the window, completed engagements and the buyer', () => {
    const given = { ...renewedAt(1, '2027-01-31T12:00:00Z'), visitorUserId: 7 as UserId };
    const change = { ...claim, completedBy: EARLIER, collaborator: { userId: 7 as UserId } };
    assert.equal(outcome(given, paid, change), 'won');
  });

  const cases: readonly [string, ProgramVersion['renewalLimit'], Sale, DropReason | 'won'][] = [
    ['is paid forever without a limit', null, renewedAt(99, '2066-01-31T12:00:00Z'), 'won'],
    [
      'is paid up to the maximum number of renewals',
      { months: null, times: 3 },
      renewedAt(3, '2066-01-31T12:00:00Z'),
      'won',
    ],
    [
      'is not paid beyond the maximum number of renewals',
      { months: null, times: 3 },
      renewedAt(4, '2026-02-01T12:00:00Z'),
      'renewal-limit',
    ],
    [
      'is paid at the last moment of the limit in months',
      { months: 1, times: null },
      renewedAt(9, '2026-02-28T12:00:00Z'),
      'won',
    ],
    [
      'is not paid after the limit in months',
      { months: 1, times: null },
      renewedAt(1, '2026-02-28T12:00:00.000001Z'),
      'renewal-limit',
    ],
    ['is paid within both limits', { months: 1, times: 1 }, renewedAt(1, '2026-02-28T12:00:00Z'), 'won'],
    [
      'is not paid if one of its two limits is exceeded',
      { months: 12, times: 1 },
      renewedAt(2, '2026-02-28T12:00:00Z'),
      'renewal-limit',
    ],
  ];
  for (const [name, renewalLimit, given, expected] of cases) {
    it(name, () => assert.equal(outcome(given, { ...paid, renewalLimit }, claim), expected));
  }

  it('is not paid by a program that pays only sales, or below the minimum order', () => {
    assert.equal(outcome(renewal(), {}, claim), 'event-not-paid');
    assert.equal(outcome(renewal(), { ...paid, minimumOrder: minor(100_01) }, claim), 'below-minimum');
  });

  it('drops its candidate with renewal-limit, not with currency-mismatch, if both reasons apply', () => {
    const terms = { ...paid, currency: 'EUR', minimumOrder: minor(1), renewalLimit: { months: null, times: 1 } };
    assert.equal(outcome(renewal(2), terms, claim), 'renewal-limit');
  });
});

describe('a manual credit for a sale', () => {
  it('is dropped for a missing enrollment or a self-referral, but not for an old touch or a completed engagement', () => {
    const credit: CandidateChange = { weight: 1n, engagementId: null, completedBy: EARLIER, lastAt: LONG_AGO };
    assert.equal(outcome(sale(), {}, credit), 'won');
    assert.equal(outcome(sale(), { enrollment: 'selected' }, credit), 'not-enrolled');
    assert.equal(
      outcome(sale({ visitorUserId: 7 as UserId }), {}, { ...credit, collaborator: { userId: 7 as UserId } }),
      'self-referral',
    );
  });
});
