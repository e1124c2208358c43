import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checksOfVisits,
  type HoldReason,
  type Holds,
  holdReasons,
  joinFraudSignals,
  NO_FRAUD_SIGNALS,
  type FraudSignals,
} from '#programs/domain/hold.ts';
import type { FraudReview } from '#collaborators/domain/collaborator.ts';
import type { UserId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import { decideSale } from '#attribution/domain/sale-decision.ts';
import type { Sale } from '#attribution/domain/facts.ts';
import { hashAddress } from '#core/visitor-address.ts';
import { candidate, lead, program, renewal, sale, SOLD_AT } from '../../support/decision-facts.ts';
import { HOLDS_OFF } from '../../support/plain-terms.ts';

const OWNER = 7 as UserId;
const SECOND = 1_000_000;
/** Returns the instant the given number of microseconds before the sale. */
const before = (microseconds: number) => (SOLD_AT - microseconds) as Instant;
const bought = sale({ visitorUserId: OWNER });
const renewed = renewal(1, SOLD_AT, { visitorUserId: OWNER });

const AD: Partial<FraudSignals> = { referrers: ['www.google.com'] };
const ALIKE: Partial<FraudSignals> = { buyerDetails: ['email', 'card'] };
const DENIED: Partial<FraudSignals> = { deniedBy: [{ kind: 'network', value: '203.0.113.0/24' }] };

describe('holdReasons: a claim', () => {
  const cases: readonly [string, Partial<Holds> | null, Partial<FraudSignals>, HoldReason[], Sale?, Instant?][] = [
    ['has no fraud signal for its visits without fraud settings', null, { nthFromAddress: 99, hasVisit: true }, []],
    [
      'has no fraud signal for its visits if every check of the program is off',
      {},
      { nthFromAddress: 99, nthOfCollaborator: 99, hasVisit: true },
      [],
    ],
    ['has no fraud signal at the limit of visits per address', { visitsFromAddress: 3 }, { nthFromAddress: 3 }, []],
    [
      'has a fraud signal for a visit beyond the limit per address',
      { visitsFromAddress: 3 },
      { nthFromAddress: 4 },
      ['visits-from-address'],
    ],
    [
      'has no fraud signal at the limit of visits per collaborator',
      { visitsOfCollaborator: 3 },
      { nthOfCollaborator: 3 },
      [],
    ],
    [
      'has a fraud signal for a visit beyond the limit per collaborator',
      { visitsOfCollaborator: 3 },
      { nthOfCollaborator: 4 },
      ['visits-of-collaborator'],
    ],
    ['has no fraud signal if the visits were not counted', { visitsFromAddress: 1 }, {}, []],
    [
      'has a fraud signal for a sale one microsecond too soon',
      { secondsToSale: 10 },
      { hasVisit: true },
      ['quick-sale'],
      sale(),
      before(10 * SECOND - 1),
    ],
    [
      'has no fraud signal if the sale follows exactly after the minimum time',
      { secondsToSale: 10 },
      { hasVisit: true },
      [],
      sale(),
      before(10 * SECOND),
    ],
    [
      'has no fraud signal for a quick sale with a coupon and no visit',
      { secondsToSale: 10 },
      { hasCoupon: true },
      [],
      sale(),
      SOLD_AT,
    ],
    ['has a fraud signal for a visit from advertising', { adReferrers: ['google.*'] }, AD, ['ad-referrer']],
    ['has no fraud signal for a visit from another host', { adReferrers: ['bing.com'] }, AD, []],
    ['has no fraud signal for advertising in a renewal', { adReferrers: ['google.*'] }, AD, [], renewed],
    ['has a fraud signal for a shared detail that is compared', { buyerDetails: ['card'] }, ALIKE, ['buyer-details']],
    ['has no fraud signal for a shared detail that is not compared', { buyerDetails: ['address'] }, ALIKE, []],
    ['has no fraud signal for a shared detail in a renewal', { buyerDetails: ['card'] }, ALIKE, [], renewed],
    ['has a fraud signal for an entry of the deny list, even without fraud settings', null, DENIED, ['deny-list']],
    ['has a fraud signal for a quick lead', { secondsToSale: 10 }, { hasVisit: true }, ['quick-sale'], lead(), SOLD_AT],
    ['has no fraud signal for a quick renewal', { secondsToSale: 10 }, { hasVisit: true }, [], renewed, SOLD_AT],
    [
      'has a fraud signal for a coupon that belongs to the buyer',
      { ownCoupon: true },
      { hasCoupon: true, userIds: [OWNER] },
      ['own-coupon'],
      bought,
    ],
    [
      'has no fraud signal if the buyer owns the coupon but did not use it',
      { ownCoupon: true },
      { hasVisit: true, userIds: [OWNER] },
      [],
      bought,
    ],
    [
      'has no fraud signal if the coupon belongs to another person',
      { ownCoupon: true },
      { hasCoupon: true, userIds: [8 as UserId] },
      [],
      bought,
    ],
    [
      'has no fraud signal if a coupon was used and the buyer is unknown',
      { ownCoupon: true },
      { hasCoupon: true, userIds: [OWNER] },
      [],
    ],
    [
      'has a fraud signal for a renewal if the coupon belongs to the buyer',
      { ownCoupon: true },
      { hasCoupon: true, userIds: [OWNER] },
      ['own-coupon'],
      renewed,
    ],
    [
      'has the fraud signals of the renewed sale, regardless of the current program version',
      null,
      { ofSale: ['quick-sale'] },
      ['quick-sale'],
      renewed,
    ],
    [
      'has its fraud signals in a fixed order',
      {
        visitsFromAddress: 1,
        visitsOfCollaborator: 1,
        ownCoupon: true,
        secondsToSale: 10,
        adReferrers: [],
        buyerDetails: [],
      },
      { nthFromAddress: 2, nthOfCollaborator: 2, hasVisit: true, hasCoupon: true, userIds: [OWNER] },
      ['visits-from-address', 'visits-of-collaborator', 'own-coupon', 'quick-sale'],
      bought,
      SOLD_AT,
    ],
  ];
  for (const [name, holds, fraudSignals, expected, given = sale(), firstAt = before(86_400 * SECOND)] of cases) {
    it(name, () => {
      const claim = {
        collaborator: {},
        program: { holds: holds && { ...HOLDS_OFF, ...holds } },
        fraudSignals: { ...NO_FRAUD_SIGNALS, ...fraudSignals },
        firstAt,
      };
      assert.deepEqual(holdReasons(given, claim), expected);
    });
  }
});

describe('the list of watched and trusted collaborators', () => {
  const reasons = (fraudReview: FraudReview, given: Sale, ofSale: HoldReason[] = []) =>
    holdReasons(given, {
      collaborator: { fraudReview },
      program: { holds: { ...HOLDS_OFF, secondsToSale: 10 } },
      fraudSignals: { ...NO_FRAUD_SIGNALS, hasVisit: true, ofSale },
      firstAt: SOLD_AT,
    });

  it('sends every conversion of a watched collaborator to review, and ignores a trusted collaborator’s quick sale', () => {
    assert.deepEqual(reasons('signals', sale()), ['quick-sale']);
    assert.deepEqual(reasons('always', sale()), ['quick-sale', 'watched-collaborator']);
    assert.deepEqual(reasons('never', sale()), []);
  });

  it('is evaluated again for a renewal', () => {
    assert.deepEqual(reasons('signals', renewed, ['quick-sale', 'watched-collaborator']), ['quick-sale']);
    assert.deepEqual(reasons('always', renewed), ['watched-collaborator']);
    assert.deepEqual(reasons('never', renewed, ['quick-sale']), []);
    assert.deepEqual(reasons('never', renewed, ['quick-sale', 'deny-list']), ['deny-list']);
  });
});

describe('a conversion in fraud review', () => {
  const quick = { holds: { ...HOLDS_OFF, secondsToSale: 10, visitsFromAddress: 1, visitsOfCollaborator: 1 } };
  const claim = (terms = {}) =>
    candidate(1, {
      program: program({ ...quick, ...terms }),
      firstAt: SOLD_AT,
      lastAt: SOLD_AT,
      fraudSignals: { hasVisit: true, nthFromAddress: 2, nthOfCollaborator: 5 },
    });

  it('is pending with no approval date, even if the program approves automatically', () => {
    for (const terms of [{ autoApprove: true }, { approveAfterDays: 3 }, {}]) {
      const [award] = decideSale(sale(), [claim(terms)], []).awards;
      assert.deepEqual([award?.status, award?.approveAt, award?.holdReasons.length], ['pending', null, 3]);
    }
  });

  it('keeps its amount and is explained with the counts of its fraud signals', () => {
    const decision = decideSale(sale(), [claim()], []);
    assert.equal(decision.awards[0]?.amount, 1000n);
    assert.deepEqual(decision.candidates[0]?.hold, {
      reasons: ['visits-from-address', 'visits-of-collaborator', 'quick-sale'],
      nthFromAddress: 2,
      nthOfCollaborator: 5,
      secondsToSale: 0,
    });
  });

  it('is explained with the hosts, the shared details and the entries of the deny list', () => {
    const holds = { ...HOLDS_OFF, adReferrers: ['google.*'], buyerDetails: ['card' as const] };
    const fraudSignals = { referrers: ['bing.com', 'www.google.com'], ...ALIKE, ...DENIED };
    const suspect = (given: object) => candidate(1, { program: program({ holds }), fraudSignals, ...given });
    assert.deepEqual(decideSale(sale(), [suspect({})], []).candidates[0]?.hold, {
      reasons: ['ad-referrer', 'buyer-details', 'deny-list'],
      referrers: ['www.google.com'],
      buyerDetails: ['card'],
      deniedBy: DENIED.deniedBy,
    });
    const without = suspect({ program: program({ holds: null }) });
    assert.deepEqual(decideSale(sale(), [without], []).candidates[0]?.hold, {
      reasons: ['deny-list'],
      deniedBy: DENIED.deniedBy,
    });
  });

  it('requires an award: a claim that earns nothing is not in review', () => {
    const lost = decideSale(sale(), [claim({ reward: { type: 'percent', ratePpm: 0 } })], []);
    assert.deepEqual([lost.awards, lost.candidates[0]?.hold], [[], undefined]);
  });
});

it('joinFraudSignals: combines the fraud signals of two claims of one collaborator', () => {
  assert.deepEqual(
    joinFraudSignals(
      {
        ...NO_FRAUD_SIGNALS,
        nthFromAddress: 3,
        hasVisit: true,
        userIds: [OWNER],
        ...AD,
        ...ALIKE,
        ...DENIED,
        ofSale: ['quick-sale'],
      },
      {
        ...NO_FRAUD_SIGNALS,
        nthOfCollaborator: 4,
        hasCoupon: true,
        userIds: [OWNER, 8 as UserId],
        referrers: ['bing.com'],
        buyerDetails: ['card'],
        deniedBy: [{ kind: 'email-domain', value: 'farm.example' }, ...(DENIED.deniedBy ?? [])],
        ofSale: ['own-coupon'],
      },
    ),
    {
      nthFromAddress: 3,
      nthOfCollaborator: 4,
      hasVisit: true,
      hasCoupon: true,
      userIds: [7, 8],
      referrers: ['bing.com', 'www.google.com'],
      buyerDetails: ['email', 'card'],
      deniedBy: [{ kind: 'email-domain', value: 'farm.example' }, ...(DENIED.deniedBy ?? [])],
      ofSale: ['own-coupon', 'quick-sale'],
    },
  );
});

it('checksOfVisits: visits are counted only if a program limits their number', () => {
  const counted = (...all: (Partial<Holds> | null)[]) =>
    Object.values(checksOfVisits(all.map((holds) => ({ holds: holds && { ...HOLDS_OFF, ...holds } }))));
  assert.deepEqual(counted(), [false, false, new Set()]);
  assert.deepEqual(counted(null, { secondsToSale: 1 }), [false, false, new Set()]);
  assert.deepEqual(counted(null, { visitsFromAddress: 1 }), [true, false, new Set()]);
  assert.deepEqual(counted({ visitsOfCollaborator: 1 }), [false, true, new Set()]);
  const hosts = counted({ adReferrers: ['bing.com', 'google.*'] }, null, { adReferrers: ['bing.com'] });
  assert.deepEqual(hosts, [false, false, new Set(['bing.com', 'google.*'])]);
});

it('hashAddress: returns a 16-byte hash that depends on the key and the address', () => {
  const key = (byte: number) => Buffer.alloc(16, byte);
  const hash = hashAddress(key(1), '203.0.113.7');
  assert.equal(hash.length, 16);
  assert.deepEqual(hash, hashAddress(key(1), '203.0.113.7'));
  assert.notDeepEqual(hash, hashAddress(key(2), '203.0.113.7'));
  assert.notDeepEqual(hash, hashAddress(key(1), '203.0.113.8'));
});
