import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  admitCredit,
  type CreditGround,
  creditedCandidate,
  decideCredit,
  leftToCredit,
} from '#attribution/domain/credit.ts';
import type { Award } from '#attribution/domain/sale-decision.ts';
import type { Candidate } from '#attribution/domain/facts.ts';
import { addDays } from '#core/instant.ts';
import {
  candidate,
  DAY,
  earned,
  fixed,
  lead,
  minor,
  percent,
  program,
  sale,
  SOLD_AT,
} from '../../support/decision-facts.ts';

function credited(change: Partial<Candidate> = {}): Candidate {
  const { opportunityId, firstVisitId: eventId, ...facts } = candidate(1);
  return { ...creditedCandidate({ opportunityId, eventId, soldAt: SOLD_AT }, facts), ...change };
}

function awarded(outcome: ReturnType<typeof decideCredit>): Award {
  assert.equal(outcome.kind, 'awarded');
  return (outcome as { award: Award }).award;
}

describe('admitting a manual credit', () => {
  const collaborator = { active: true, userId: null, enrolled: false };
  const ground: CreditGround = {
    status: 'complete',
    isDecided: true,
    isCredited: false,
    programVersion: 3,
    collaborator,
  };

  it('requires a decided, complete sale, a known program, and a known collaborator who is not credited yet', () => {
    assert.deepEqual(admitCredit(ground), { kind: 'admitted', programVersion: 3, collaborator });
    const refused = (change: Partial<CreditGround>) => admitCredit({ ...ground, ...change });
    assert.deepEqual(refused({ status: 'refunded', isDecided: false }), { kind: 'forbidden', status: 'refunded' });
    assert.deepEqual(refused({ isDecided: false }), { kind: 'not-decided' });
    assert.deepEqual(refused({ isCredited: true }), { kind: 'already-credited' });
    assert.deepEqual(refused({ collaborator: null, programVersion: null }), {
      kind: 'unknown',
      unknown: ['collaborator', 'program'],
    });
    assert.deepEqual(refused({ collaborator: null }), { kind: 'unknown', unknown: ['collaborator'] });
    assert.deepEqual(refused({ programVersion: null }), { kind: 'unknown', unknown: ['program'] });
  });
});

describe('a manual credit without an amount', () => {
  it('pays the program’s reward for a single collaborator', () => {
    const award = awarded(decideCredit(sale(), credited({ program: program({ reward: percent(12.5) }) }), null));
    assert.deepEqual([award.amount, award.currency, award.status, award.engagementId], [1250n, 'USD', 'pending', null]);
  });

  it('completes no engagement', () => {
    const once = program({ creditsPer: 'opportunity' });
    assert.equal(awarded(decideCredit(sale(), credited({ program: once }), null)).completes, false);
  });

  it('is accepted after the window and on an invalid opportunity, because a person granted it', () => {
    const late = credited({ lastAt: (SOLD_AT - 400 * DAY) as typeof SOLD_AT });
    assert.equal(awarded(decideCredit(sale({ opportunityState: 'invalid' }), late, null)).amount, 1000n);
  });

  it('is refused, with the reason, if the program would pay nothing', () => {
    const cases = [
      ['program-inactive', { program: program({ status: 'inactive' }) }],
      ['collaborator-inactive', { collaborator: { active: false, userId: null, enrolled: false } }],
      ['currency-mismatch', { program: program({ reward: fixed('per-sale', 5), currency: 'EUR' }) }],
      ['share-is-zero', { program: program({ reward: { type: 'percent', ratePpm: 1 } }) }],
      [
        'cap-reached',
        {
          program: program({ capPerPeriod: { period: 'day', amount: minor(700) } }),
          earned: { tier: earned(0, 0), cap: earned(700) },
        },
      ],
    ] as const;
    for (const [reason, change] of cases) {
      assert.deepEqual(decideCredit(sale(), credited(change), null), { kind: 'refused', reason });
    }
  });
});

describe('a manual credit with an amount', () => {
  it('pays exactly that amount, regardless of the program’s terms', () => {
    const award = awarded(decideCredit(sale(), credited({ program: program({ status: 'inactive' }) }), minor(321)));
    assert.deepEqual([award.amount, award.weight, award.byQuantity, award.completes], [321n, 1n, false, false]);
  });

  it('uses the sale’s currency, and the program’s currency for a lead', () => {
    const euro = credited({ program: program({ currency: 'EUR' }) });
    assert.equal(awarded(decideCredit(sale(), euro, minor(1))).currency, 'USD');
    assert.equal(awarded(decideCredit(lead(), euro, minor(1))).currency, 'EUR');
  });

  it('is refused if the amount is not payable in the currency', () => {
    const yen = sale({ currency: 'JPY' });
    assert.deepEqual(decideCredit(yen, credited(), minor(12_340)), { kind: 'not-payable', currency: 'JPY' });
    assert.equal(awarded(decideCredit(yen, credited(), minor(12_300))).amount, 12_300n);
    const leads = credited({ program: program({ currency: 'KRW' }) });
    assert.deepEqual(decideCredit(lead(), leads, minor(1)), { kind: 'not-payable', currency: 'KRW' });
  });

  it('is refused if it exceeds the remaining total', () => {
    const exceeds = { kind: 'exceeds-total', left: 320n, currency: 'USD' };
    assert.deepEqual(decideCredit(sale(), credited(), minor(321), minor(320)), exceeds);
    assert.equal(awarded(decideCredit(sale(), credited(), minor(320), minor(320))).amount, 320n);
    assert.deepEqual(
      decideCredit(sale(), credited(), null, minor(320)),
      exceeds,
      'the limit also applies to a computed amount',
    );
  });

  it('is limited to the sale’s total minus earlier credits, and is unlimited for a lead', () => {
    const total = minor(1_000);
    assert.equal(leftToCredit(sale({ total }), minor(400)), 600n);
    assert.equal(leftToCredit(sale({ total }), minor(1_000)), 0n);
    assert.equal(leftToCredit(sale({ total }), minor(1_200)), 0n);
    assert.equal(leftToCredit(lead(), minor(400)), null);
  });

  it('is approved according to the program’s approval rules', () => {
    const at = credited({ program: program({ autoApprove: true }) });
    const later = credited({ program: program({ approveAfterDays: 3 }) });
    assert.deepEqual(
      [at, later]
        .map((each) => awarded(decideCredit(sale(), each, minor(1))))
        .map((award) => [award.status, award.approveAt]),
      [
        ['approved', null],
        ['pending', addDays(SOLD_AT, 3)],
      ],
    );
  });
});
