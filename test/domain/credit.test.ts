import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { admitCredit, type CreditGround, creditedCandidate, decideCredit } from '#domain/credit.ts';
import type { Award, Candidate } from '#domain/sale-decision.ts';
import { addDays } from '#domain/instant.ts';
import { candidate, DAY, earned, fixed, lead, minor, percent, program, sale, SOLD_AT } from './facts.ts';

function credited(change: Partial<Candidate> = {}): Candidate {
  const { opportunityId, firstVisitId: eventId, ...facts } = candidate(1);
  return { ...creditedCandidate({ opportunityId, eventId, soldAt: SOLD_AT }, facts), ...change };
}

function awarded(outcome: ReturnType<typeof decideCredit>): Award {
  assert.equal(outcome.kind, 'awarded');
  return (outcome as { award: Award }).award;
}

describe('a credit by hand', () => {
  const collaborator = { active: true, userId: null, enrolled: false };
  const ground: CreditGround = {
    status: 'complete',
    isDecided: true,
    isCredited: false,
    programVersion: 3,
    collaborator,
  };

  it('needs a sale that stands and is decided, and somebody who was not credited by it', () => {
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

describe('a credit by hand without an amount', () => {
  it('pays what the program pays one alone', () => {
    const award = awarded(decideCredit(sale(), credited({ program: program({ reward: percent(12.5) }) }), null));
    assert.deepEqual([award.amount, award.currency, award.status, award.engagementId], [1250n, 'USD', 'pending', null]);
  });

  it('completes no engagement', () => {
    const once = program({ creditsPer: 'opportunity' });
    assert.equal(awarded(decideCredit(sale(), credited({ program: once }), null)).completes, false);
  });

  it('stands after the window and on an invalid opportunity: the person who grants it knows better', () => {
    const late = credited({ lastAt: (SOLD_AT - 400 * DAY) as typeof SOLD_AT });
    assert.equal(awarded(decideCredit(sale({ opportunityState: 'invalid' }), late, null)).amount, 1000n);
  });

  it('is refused with the reason where the program pays nothing', () => {
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

describe('a credit by hand with an amount', () => {
  it('pays just that, whatever the program would have paid', () => {
    const award = awarded(decideCredit(sale(), credited({ program: program({ status: 'inactive' }) }), minor(321)));
    assert.deepEqual([award.amount, award.weight, award.byQuantity, award.completes], [321n, 1n, false, false]);
  });

  it('is in the currency of the sale, for a lead in that of the program', () => {
    const euro = credited({ program: program({ currency: 'EUR' }) });
    assert.equal(awarded(decideCredit(sale(), euro, minor(1))).currency, 'USD');
    assert.equal(awarded(decideCredit(lead(), euro, minor(1))).currency, 'EUR');
  });

  it('is approved as the program approves', () => {
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
