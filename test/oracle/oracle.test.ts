// Tests the oracle with examples that a person can check. The random histories rely on the oracle's results.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fact, Line, Terms } from './facts.ts';
import { decimal, minorOf, roundHalfUp, split, times, whole } from './fraction.ts';
import { periodOf } from './decision.ts';
import { amountOf, balancesOf } from './money.ts';
import { foresee, applyFact, applyFacts } from './oracle.ts';
import type { World } from './world.ts';

const CAST: readonly Fact[] = ['ada', 'ben', 'cleo'].map((as) => ({ do: 'collaborator', as }));

/** A visit through Ada's link, then visits through Ben's and Cleo's links in the same browser. */
const VISITS: readonly Fact[] = [
  { do: 'visit', as: 'v1', collaborator: 'ada' },
  { do: 'visit', as: 'v2', collaborator: 'ben', presents: 'v1' },
  { do: 'visit', as: 'v3', collaborator: 'cleo', presents: 'v1' },
];

function program(terms: Partial<Terms>, as = 'P'): Fact {
  return { do: 'program', as, terms };
}

function sale(total: string, change: Partial<Fact & { do: 'sale' }> = {}): Fact {
  return { do: 'sale', as: 's', visit: 'v1', currency: 'USD', total, ...change };
}

/**
 * Returns the reason of a transaction's explanation, if it has one, and a line for each outcome. A line has the
 * collaborator, the reason if there is one, and the award in hundredths.
 */
function outcomes(world: World, transaction = 's'): string[] {
  const { reason, outcomes } = world.transactions.get(transaction)!.explained;
  return [
    ...(reason === undefined ? [] : [reason]),
    ...outcomes.map((one) => `${one.collaborator} ${one.reason ?? ''}${one.reason ? ' ' : ''}${one.share}`).sort(),
  ];
}

function worth(world: World): string[] {
  return world.conversions.map(({ collaborator, amount, status }) => `${collaborator} ${amount} ${status}`).sort();
}

describe('the arithmetic of the oracle', () => {
  it('reads amounts digit by digit, and rounds halves away from zero', () => {
    const amounts = ['19.99', '0.29', '1.005', '4.35e1', '-1.005', '19.989999999999998', '0'];
    assert.deepEqual(amounts.map(minorOf), [1999n, 29n, 101n, 4350n, -101n, 1999n, 0n]);
  });

  it('rounds halves up, and rounds only once', () => {
    assert.equal(roundHalfUp(times(whole(50), decimal('0.01'))), 1n);
    assert.equal(roundHalfUp(times(whole(49), decimal('0.01'))), 0n);
  });

  it('splits by largest remainder, and favors the first part in a tie', () => {
    const parts = (...all: number[]) => all.map(whole);
    assert.deepEqual(split(10_000n, parts(1, 1, 1)), [3334n, 3333n, 3333n]);
    assert.deepEqual(split(4n, parts(1, 3, 3)), [0n, 2n, 2n]);
    assert.deepEqual(split(3n, parts(1, 3, 3)), [1n, 1n, 1n]);
    assert.deepEqual(split(5n, parts(0, 0)), [0n, 0n]);
  });

  it('assigns times to UTC days, weeks, months, quarters and years', () => {
    const sunday = new Date('2026-11-22T23:59:59.999Z');
    const periods = (['day', 'week', 'month', 'quarter', 'year', 'lifetime'] as const).map((one) =>
      periodOf(sunday, one),
    );
    assert.deepEqual(periods, ['2026-11-22', '2026-11-16', '2026-11', '2026 4', '2026', '']);
    assert.equal(periodOf(new Date('2026-11-23T00:00:00Z'), 'week'), '2026-11-23');
  });
});

describe('the oracle', () => {
  it('splits 100.00 between three collaborators as 33.34, 33.33 and 33.33', () => {
    const terms = { attribution: 'linear', reward: { type: 'percent', percent: '100' } } as const;
    const world = applyFacts([...CAST, program(terms), ...VISITS, sale('100.00')]);
    assert.deepEqual(outcomes(world), ['ada 3334', 'ben 3333', 'cleo 3333']);
  });

  it('follows the attribution model, and gives a reason for each collaborator without an award', () => {
    const decided = (attribution: Terms['attribution']) =>
      outcomes(applyFacts([...CAST, program({ attribution }), ...VISITS, ...VISITS.slice(1, 2), sale('1.00')]));
    assert.deepEqual(decided('last-touch'), ['ada lost-to-newer 0', 'ben 10', 'cleo lost-to-newer 0']);
    assert.deepEqual(decided('first-touch'), ['ada 10', 'ben lost-to-older 0', 'cleo lost-to-older 0']);
    assert.deepEqual(decided('top-score'), ['ada lost-to-higher 0', 'ben 10', 'cleo lost-to-higher 0']);
    assert.deepEqual(decided('weighted'), ['ada 3', 'ben 5', 'cleo 2']);
  });

  it('refuses a refund of only a discount, and accepts an `upTo` refund that exceeds the remainder', () => {
    const lines: Line[] = [
      { externalId: 'a', name: 'A', type: 'product', quantity: 3, total: '100.00' },
      { externalId: 'd', name: 'D', type: 'discount', quantity: 1, amount: '-50.00' },
    ];
    const sold = [...CAST.slice(0, 1), program({}), ...VISITS.slice(0, 1), sale('50.00', { lines })];
    const back = (refundId: string, named: object): Fact => ({ do: 'refund', transaction: 's', refundId, ...named });
    const world = applyFacts(sold);
    assert.equal(foresee(world, back('r', { items: [{ externalId: 'd', quantity: 1 }] })), 'refused');
    const items = [
      { externalId: 'a', quantity: 2 },
      { externalId: 'd', quantity: 1 },
    ];
    // Two of three pieces are worth 66.67, less the discount of 50.00. So 16.67 of the base of 50.00 is refunded.
    const refunded = applyFacts([...sold, back('r', { items })]);
    assert.deepEqual([refunded.transactions.get('s')?.refundedAmount, refunded.conversions[0]?.amount], [1667n, 333n]);
    const upTo = back('u', { amount: '50.00', upTo: true });
    assert.equal(foresee(refunded, upTo), 'taken');
    assert.equal(applyFacts([...sold, back('r', { items }), upTo]).transactions.get('s')?.status, 'refunded');
  });

  it('counts the lines of a program’s types and filter, and applies its minimum order and currency', () => {
    const lines: Line[] = [
      { externalId: 'mug', name: 'Blue mug', type: 'product', quantity: 2, amount: '5.00' },
      { externalId: 'card', name: 'Gift card', type: 'product', quantity: 1, amount: '20.00' },
      { name: 'Post', type: 'shipping', quantity: 1, amount: '4.00' },
      { name: 'Less', type: 'discount', quantity: 1, amount: '-1.00' },
    ];
    const [cast, visits] = [CAST.slice(0, 1), VISITS.slice(0, 1)];
    const decided = (terms: Partial<Terms>) =>
      outcomes(applyFacts([...cast, program(terms), ...visits, sale('33.00', { lines })]));
    assert.deepEqual(decided({}), ['ada 290']);
    assert.deepEqual(decided({ lineFilter: { include: [], exclude: [{ name: 'gift*' }] } }), ['ada 90']);
    assert.deepEqual(decided({ reward: { type: 'per-product', amount: 7 } }), ['ada 21']);
    assert.deepEqual(decided({ countedLines: ['discount'] }), ['ada nothing-counted 0']);
    assert.deepEqual(decided({ minimumOrder: 3301 }), ['ada below-minimum 0']);
    assert.deepEqual(decided({ capPerOrder: 100, currency: 'EUR' }), ['ada currency-mismatch 0']);
  });

  it('pays in only one program of a group', () => {
    const reward = { type: 'percent', percent: '10' } as const;
    const story = (rule: 'newest' | 'oldest') => [
      ...CAST,
      program({ reward, triggers: { 'site-visit': 1 } }),
      program({ reward, triggers: { 'coupon-applied': 1 } }, 'Q'),
      { do: 'group', as: 'G', rule, programs: ['P', 'Q'] } as Fact,
      VISITS[0]!,
      { do: 'coupon', visit: 'v1', collaborator: 'ben' } as Fact,
      sale('1.00'),
    ];
    assert.deepEqual(outcomes(applyFacts(story('newest'))), ['ada lost-in-group 0', 'ben 10']);
    assert.deepEqual(outcomes(applyFacts(story('oldest'))), ['ada 10', 'ben lost-in-group 0']);
  });

  it('counts earlier awards for tiers and caps, except rejected awards', () => {
    const terms: Partial<Terms> = {
      tiers: { period: 'month', by: 'count', steps: [{ from: 2, reward: { type: 'percent', percent: '50' } }] },
      capPerPeriod: { period: 'month', amount: 45 },
    };
    const sales = ['s1', 's2', 's3', 's4'].map((as) => sale('1.00', { as }));
    const world = applyFacts([
      ...CAST,
      program(terms),
      VISITS[0]!,
      ...sales,
      { do: 'refund', transaction: 's1' },
      sale('1.00'),
    ]);
    const shares = ['s1', 's2', 's3', 's4', 's'].flatMap((name) => outcomes(world, name));
    assert.deepEqual(shares, ['ada 10', 'ada 10', 'ada cap-reached 25', 'ada cap-reached 0', 'ada cap-reached 10']);
  });

  it('calculates the worth of each conversion after refunds from its own awarded amount', () => {
    const terms = { attribution: 'weighted', reward: { type: 'percent', percent: '4' } } as const;
    const scores: Fact[] = ['ben', 'cleo'].flatMap((collaborator): Fact[] => [
      { do: 'visit', as: 'again', collaborator, presents: 'v1' },
      { do: 'visit', as: 'again', collaborator, presents: 'v1' },
    ]);
    const world = applyFacts([...CAST, program(terms), ...VISITS, ...scores, sale('1.00')]);
    assert.deepEqual(worth(world), ['ben 2 pending', 'cleo 2 pending']);
    applyFact(world, { do: 'refund', transaction: 's', refundId: 'r', amount: '0.25' }, new Date());
    assert.deepEqual(worth(world), ['ben 2 pending', 'cleo 2 pending']);
    applyFact(world, { do: 'refund', transaction: 's', refundId: 'r2', amount: '0.26' }, new Date());
    assert.deepEqual(worth(world), ['ben 1 pending', 'cleo 1 pending']);
    assert.equal(foresee(world, { do: 'refund', transaction: 's', refundId: 'r3', amount: '0.50' }), 'refused');
    applyFact(world, { do: 'refund', transaction: 's', refundId: 'r3', amount: '0.49' }, new Date());
    assert.deepEqual(worth(world), ['ben 1 rejected', 'cleo 1 rejected']);
    assert.equal(world.transactions.get('s')?.status, 'refunded');
  });

  it('pays a commission, claws it back in the next payout run, and keeps correct balances', () => {
    const run = (as: string): Fact => ({ do: 'run', as });
    const world = applyFacts([...CAST, program({ autoApprove: true }), VISITS[0]!, sale('10.00'), run('one')]);
    const balance = () => balancesOf(world, 'ada').map((one) => [one.balance, one.pending, one.inPayout, one.paid]);
    assert.deepEqual(balance(), [[100n, 0n, 100n, 0n]]);
    const steps: Fact[] = [
      { do: 'mark-paid', payout: 'one/USD/ada' },
      { do: 'refund', transaction: 's' },
      { do: 'review', payout: 'one/USD/ada', resolution: 'claw-back' },
    ];
    for (const step of steps) applyFact(world, step, new Date());
    assert.deepEqual(balance(), [[-100n, -100n, 0n, 100n]]);
    for (const step of [sale('30.00', { as: 's2' }), run('two')]) applyFact(world, step, new Date());
    assert.deepEqual(balance(), [[200n, 0n, 200n, 100n]]);
    assert.deepEqual(
      world.payouts.map((payout) => amountOf(world, payout)),
      [100n, 200n],
    );
    assert.equal(foresee(world, { do: 'mark-unpaid', payout: 'one/USD/ada' }), 'refused');
  });

  it('merges visitors, and completes and reopens their claims', () => {
    const facts: Fact[] = [
      ...CAST,
      program({ creditsPer: 'opportunity' }),
      { do: 'visit', as: 'v1', collaborator: 'ada' },
      { do: 'visit', as: 'v2', collaborator: 'ada', userId: 1 },
      { do: 'visit', as: 'v3', collaborator: 'ben', presents: 'v1', userId: 1 },
      sale('1.00'),
      { do: 'visit', as: 'v4', collaborator: 'ada', presents: 'v2' },
      sale('1.00', { as: 's2', visit: 'v2' }),
      { do: 'refund', transaction: 's' },
      sale('1.00', { as: 's3', visit: 'v2' }),
    ];
    const world = applyFacts(facts);
    assert.deepEqual(outcomes(world), ['ada lost-to-newer 0', 'ben 10']);
    assert.deepEqual(outcomes(world, 's2'), ['ada 10', 'ada already-credited 0', 'ben already-credited 0']);
    assert.deepEqual(outcomes(world, 's3'), ['ada already-credited 0', 'ada lost-to-newer 0', 'ben 10']);
  });
});
