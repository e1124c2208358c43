import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { earned, fixed, item, minor, percent } from '../../support/decision-facts.ts';
import { PLAIN_TERMS } from '../../support/plain-terms.ts';
import { explanationText } from '#attribution/wording/explanation-text.ts';
import type { CollaboratorId } from '#core/ids.ts';
import {
  exampleOf,
  type ImaginedCollaborator,
  type ImaginedSale,
  type ImaginedTouch,
} from '#attribution/domain/program-example.ts';
import type { ProgramTerms } from '#programs/domain/program.ts';

const SALE: ImaginedSale = {
  kind: 'sale',
  total: null,
  currency: 'USD',
  items: [],
  renewalNumber: 1,
  monthsAfterSale: 1,
};

type TouchChange = Partial<Omit<ImaginedTouch, 'collaborator'>> & { collaborator?: Partial<ImaginedCollaborator> };

const by = (name: string, { collaborator, ...change }: TouchChange = {}): ImaginedTouch => ({
  collaborator: { id: null, name, isEnrolled: true, isBuyer: false, earned: earned(0, 0), ...collaborator },
  trigger: null,
  daysBefore: 1,
  ...change,
});

const example = (
  terms: Partial<ProgramTerms>,
  touches: readonly ImaginedTouch[] = [by('Ada')],
  sale: Partial<ImaginedSale> = {},
) => exampleOf({ ...PLAIN_TERMS, name: 'Friends', ...terms }, { ...SALE, ...sale }, touches);

/** Returns, by collaborator name, the amount in cents or the reason why the collaborator earned nothing. */
const outcome = (...of: Parameters<typeof example>): Record<string, unknown> => {
  const { explanation, names } = example(...of);
  return Object.fromEntries(
    explanation.candidates.map(({ collaboratorId, share, reason }) => [
      names.get(collaboratorId),
      share === undefined || share === 0n ? reason : Number(share),
    ]),
  );
};

const textOf = (...of: Parameters<typeof example>): string[] => {
  const { explanation, program, names } = example(...of);
  return explanationText(explanation, {
    programs: [program],
    collaborators: names,
    conversions: [],
    omittedConversions: 0,
    refunds: [],
    omittedRefunds: 0,
    corrections: [],
    isImagined: true,
  }).split('\n');
};

describe('the example of a program', () => {
  it('defaults to a sale of 100.00 and an active program', () => {
    assert.deepEqual(outcome({ status: 'draft' }), { Ada: 1000 });
    assert.deepEqual(outcome({}, [], {}), {});
    assert.equal(example({}, []).explanation.reason, 'no-engagement');
  });

  it('explains its arithmetic without the ids and dates of records', () => {
    assert.deepEqual(textOf({ attribution: 'linear' }, [by('Ada', { daysBefore: 3 }), by('Ada'), by('Ben')]), [
      'Sale: total 100.00 USD, products and discounts 100.00 USD. 2 collaborators earned.',
      'Ada earned 5.00 USD: 10% of 100.00 USD = 10.00 USD. The share by linear attribution, with weight 1 of 2, is 5.00 USD. ' +
        'Touches from 3 days to 1 day before, score 2.',
      'Ben earned 5.00 USD: 10% of 100.00 USD = 10.00 USD. The share by linear attribution, with weight 1 of 2, is 5.00 USD. ' +
        'Touches 1 day before, score 1.',
    ]);
  });

  it('names the winning collaborator or the window in the reason of a candidate that lost', () => {
    const [, ada, ben, cleo] = textOf({ windowDays: 5 }, [
      by('Cleo', { daysBefore: 6 }),
      by('Ben'),
      by('Ada', { daysBefore: 0 }),
    ]);
    assert.equal(ada, 'Ada earned 10.00 USD: 10% of 100.00 USD = 10.00 USD. Touches right before, score 1.');
    assert.match(cleo ?? '', /^Ben earned nothing: a newer touch gets the credit \(lost-to-newer\): Ada\. /);
    assert.match(ben ?? '', /^Cleo earned nothing: .*\(window-expired\): 5 days\. Touches 6 days before, score 1\.$/);
  });

  it('has the sum of its lines as the total if no total is given, but at least 0', () => {
    assert.deepEqual(outcome({}, undefined, { items: [item(40_00, { quantity: 2 }), item(-10_00)] }), { Ada: 700 });
    assert.deepEqual(outcome({}, undefined, { items: [item(-10_00)] }), { Ada: 'nothing-counted' });
    assert.deepEqual(outcome({ minimumOrder: minor(60_00) }, undefined, { total: minor(50_00) }), {
      Ada: 'below-minimum',
    });
  });

  it('applies the program’s triggers and attribution to the touches', () => {
    const triggers = { 'site-visit': 1, 'coupon-applied': 3 };
    const touches = [by('Ben', { daysBefore: 0, trigger: 'coupon-applied' }), by('Ada', { daysBefore: 2 })];
    assert.deepEqual(outcome({ triggers, attribution: 'weighted' }, touches), { Ada: 250, Ben: 750 });
    assert.deepEqual(outcome({ triggers, attribution: 'first-touch' }, touches), { Ada: 1000, Ben: 'lost-to-older' });
    // Touches on the same day keep their given order.
    assert.deepEqual(outcome({}, [by('Ada'), by('Ben')]), { Ada: 'lost-to-newer', Ben: 1000 });
  });

  it('has a touch with the first trigger by default if the program does not count visits', () => {
    assert.deepEqual(outcome({ triggers: { 'coupon-applied': 1 } }), { Ada: 1000 });
    assert.deepEqual(outcome({ triggers: { 'coupon-applied': 1 } }, [by('Ada', { trigger: 'site-visit' })]), {
      Ada: 'no-program',
    });
    assert.deepEqual(example({ triggers: {} }).explanation.reason, 'no-engagement');
  });

  it('excludes collaborators who are not enrolled or are the buyer', () => {
    const touches = [
      by('Ada', { collaborator: { isEnrolled: false } }),
      by('Ben', { collaborator: { isBuyer: true } }),
      by('Cleo'),
    ];
    assert.deepEqual(outcome({ enrollment: 'selected' }, touches), {
      Ada: 'not-enrolled',
      Ben: 'self-referral',
      Cleo: 1000,
    });
  });

  it('counts earlier earnings toward tiers and caps', () => {
    const tiers = { period: 'month', by: 'count', steps: [{ from: 10n, reward: percent(15) }] } as const;
    const before = by('Ada', { collaborator: { earned: earned(38_00, 10) } });
    assert.deepEqual(outcome({ tiers }, [before]), { Ada: 1500 });
    assert.deepEqual(outcome({ tiers }), { Ada: 1000 });
    assert.deepEqual(outcome({ capPerPeriod: { period: 'month', amount: minor(40_00) } }, [before]), { Ada: 200 });
  });

  it('applies an individual reward only to its collaborator', () => {
    const collaboratorRewards = [{ collaboratorId: 1 as CollaboratorId, reward: percent(20) }];
    const ada = by('Ada', { collaborator: { id: 1 as CollaboratorId } });
    assert.deepEqual(outcome({ collaboratorRewards }, [ada]), { Ada: 2000 });
    assert.deepEqual(outcome({ collaboratorRewards }, [by('Ben')]), { Ben: 1000 });
    assert.equal(example({ collaboratorRewards }, [by('Ben'), ada, by('Cleo')]).names.size, 3);
  });

  it('supports a lead, which has no total', () => {
    const terms = { reward: fixed('per-lead', 25_00), pays: ['lead'], currency: 'EUR' } as const;
    assert.deepEqual(textOf(terms, undefined, { kind: 'lead' }), [
      'Lead. 1 collaborator earned.',
      'Ada earned 25.00 EUR: 25.00 EUR a lead = 25.00 EUR. Touches 1 day before, score 1.',
    ]);
  });

  it('supports a renewal, which is paid according to its sale’s awards', () => {
    const terms = {
      pays: ['sale', 'renewal'],
      renewalLimit: { months: 2, times: null },
      attribution: 'linear',
    } as const;
    const touches = [by('Ada'), by('Ben', { daysBefore: 40 })];
    const renewal = { kind: 'renewal', renewalNumber: 2 } as const;
    assert.deepEqual(textOf(terms, touches, { ...renewal, monthsAfterSale: 2 }), [
      'Renewal 2 of a sale: total 100.00 USD, products and discounts 100.00 USD. 1 collaborator earned.',
      'Ada earned 10.00 USD: 10% of 100.00 USD = 10.00 USD.',
    ]);
    assert.deepEqual(outcome(terms, touches, { ...renewal, monthsAfterSale: 3 }), { Ada: 'renewal-limit' });
    const late = example(terms, [by('Ben', { daysBefore: 40 })], renewal).explanation;
    assert.equal(late.reason, 'no-original-conversion');
  });
});
