import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { countVersions, faultCodes } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';

type Example = {
  readonly words: string[];
  readonly explanation: {
    readonly kind: string;
    readonly total: number;
    readonly currency: string;
    readonly reason?: string;
    readonly candidates: {
      name: string;
      collaboratorId: number;
      share?: number;
      reason?: string;
      [field: string]: unknown;
    }[];
    readonly text: string;
  };
};
const TEN_PERCENT = { type: 'percent', percent: 10 };

describe('POST /v1/programs/example', () => {
  let service: TestService;
  let ada: number;
  before(async () => {
    service = await startService();
    const reply = await service.request('POST', '/v1/collaborators', { key: service.secretKey, body: { name: 'Ada' } });
    ada = (reply.body as { id: number }).id;
  });
  after(() => service.stop());

  const ask = (body: object): Promise<Reply> =>
    service.request('POST', '/v1/programs/example', {
      key: service.secretKey,
      body: { name: 'P', reward: TEN_PERCENT, ...body },
    });
  const exampleOf = async (body: object): Promise<Example> => {
    const reply = await ask(body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body as Example;
  };
  const outcome = ({ explanation }: Example): Record<string, unknown> =>
    Object.fromEntries(explanation.candidates.map(({ name, share, reason }) => [name, share ?? reason]));

  it('describes a program and its reward for a sale of 100.00 after one touch', async () => {
    const { words, explanation } = await exampleOf({});
    assert.equal(words[0], 'Partners earn 10% of each sale: of products, less discounts.');
    assert.equal(
      explanation.text,
      'Sale: total 100.00 USD, products and discounts 100.00 USD. 1 collaborator earned.\n' +
        'Ada earned 10.00 USD: 10% of 100.00 USD = 10.00 USD. Touches 1 day before, score 1.',
    );
    assert.deepEqual(explanation.candidates, [
      {
        name: 'Ada',
        collaboratorId: 1,
        outcome: 'won',
        score: 1,
        base: 10_000,
        quantity: 1,
        weight: 1,
        reward: 1_000,
        share: 1_000,
        steps: ['10% of 100.00 USD = 10.00 USD'],
      },
    ]);
  });

  it('accepts the terms of a program, and applies them to the example sale', async () => {
    const body = {
      attribution: 'weighted',
      triggers: { 'site-visit': 1, 'coupon-applied': 5 },
      pays: ['sale', 'renewal'],
      tiers: { period: 'month', by: 'sum', steps: [{ from: 1_000, reward: { type: 'percent', percent: 15 } }] },
      capPerOrder: 4_000,
      capPerPeriod: { period: 'month', amount: 5_000 },
      lineFilter: { exclude: [{ type: 'fee' }] },
      minimumOrder: 2_000,
      collaboratorRewards: [{ collaboratorId: ada, reward: { type: 'percent', percent: 20 } }],
      renewals: { times: 12 },
      sale: {
        items: [
          { name: 'Mug', amount: '120.00', quantity: 2 },
          { name: 'Off', amount: -40, type: 'discount' },
        ],
      },
      touches: [
        { collaboratorId: ada, daysBefore: 5 },
        { collaborator: 'Ben', trigger: 'coupon-applied', earnedBefore: 3_000, conversionsBefore: 3 },
      ],
    };
    const example = await exampleOf(body);
    assert.match(example.words.join('\n'), /Custom rates: Ada 20%\./);
    // Ada’s rate is 20% and Ben’s is 15% of 200.00, with the weights 1 and 5. That is 6.67 for Ada and 25.00 for Ben.
    // The monthly cap leaves Ben 20.00.
    assert.deepEqual(outcome(example), { Ada: 667, Ben: 2_000 });
    assert.match(
      example.explanation.text,
      /The cap of 50\.00 USD a month, with 30\.00 USD awarded before, reduces this to 20\.00 USD/,
    );
    const renewal = await exampleOf({ ...body, sale: { kind: 'renewal', total: 100, renewalNumber: 13 } });
    assert.deepEqual(outcome(renewal), { Ada: 'renewal-limit', Ben: 'renewal-limit' });
  });

  it('accepts examples with no touch, with a lead, in another currency, or with an unknown collaborator', async () => {
    const nobody = await exampleOf({ touches: [] });
    assert.equal(nobody.explanation.reason, 'no-engagement');
    const lead = await exampleOf({ reward: { type: 'per-lead', amount: 2_500 }, currency: 'EUR' });
    assert.deepEqual([lead.explanation.kind, lead.explanation.total, outcome(lead)], ['lead', 0, { Ada: 2_500 }]);
    const foreign = await exampleOf({ reward: { type: 'per-sale', amount: 500 }, sale: { currency: 'EUR' } });
    assert.deepEqual(outcome(foreign), { Ada: 'currency-mismatch' });
    const draft = await exampleOf({ status: 'draft', touches: [{ collaboratorId: 9_007_199_254_740_991 }] });
    assert.match(draft.words[0] ?? '', /^It is a draft/);
    assert.deepEqual(outcome(draft), { 'Collaborator 9007199254740991': 1_000 });
  });

  it('returns the same faults as creating the program', async () => {
    const faulty = [
      { reward: { type: 'percent', percent: 101 }, windowDays: 0 },
      { pays: ['lead'], autoApprove: true, approveAfterDays: 1 },
      { groupId: 99, triggers: { 'quiz-done': 1 }, collaboratorRewards: [{ collaboratorId: 99, reward: TEN_PERCENT }] },
    ];
    for (const terms of faulty) {
      const [example, creation] = [
        await ask(terms),
        await service.request('POST', '/v1/programs', {
          key: service.secretKey,
          body: { name: 'P', reward: TEN_PERCENT, ...terms },
        }),
      ];
      assert.equal(example.status, 422);
      assert.deepEqual(faultCodes(example), faultCodes(creation));
    }
  });

  it('returns the faults of the example sale and touches', async () => {
    const reply = await ask({
      sale: { total: -1, kind: 'gift' },
      touches: [{}, { collaborator: 'Ada', daysBefore: 4_000 }],
    });
    assert.deepEqual(faultCodes(reply), {
      '/sale/kind': 'unknown-value',
      '/sale/total': 'out-of-range',
      '/touches/0/collaborator': 'required',
      '/touches/1/daysBefore': 'out-of-range',
    });
    const many = await ask({ touches: Array.from({ length: 51 }, () => ({ collaborator: 'Ada' })) });
    assert.deepEqual(faultCodes(many), { '/touches': 'too-many' });
  });

  it('writes nothing to the database', async () => {
    const versions = await countVersions(service);
    await exampleOf({ tiers: { period: 'month', by: 'sum', steps: [{ from: 1, reward: TEN_PERCENT }] } });
    assert.equal(await countVersions(service), versions);
    const { body } = await service.request('GET', '/v1/programs', { key: service.secretKey });
    assert.deepEqual(body, []);
  });
});
