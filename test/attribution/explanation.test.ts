import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openShop, type Shop } from '../support/shop.ts';
import { startService, type TestService } from '../support/service.ts';
import { verify } from '#verify/verify.ts';

type Candidate = {
  collaboratorId: number;
  programId?: number;
  outcome: string;
  reason?: string;
  weight?: number;
  terms?: string;
  tierFrom?: number;
  afterMonths?: number;
  earnedForTier?: { sum: number; count: number };
  earnedForCap?: number;
  uncapped?: number;
  reward?: number;
  cut?: number;
  share?: number;
};
type Explanation = {
  transactionId: number;
  kind: string;
  renewsTransactionId?: number;
  renewalNumber?: number;
  currency: string;
  candidates: Candidate[];
  conversions: { id: number; type: string; collaboratorId: number; [field: string]: unknown }[];
  refunds: { at: string; kind: string; amount: number; refundId?: string }[];
  text: string;
};

describe('the explanation endpoints', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const post = async (path: string, body: object, status = 200) => {
    const reply = await service.request('POST', path, { key: service.secretKey, body });
    assert.equal(reply.status, status, reply.text);
    return reply.body as { id: number };
  };
  const explain = async (order: string) => (await shop.explain(order)) as unknown as Explanation;
  const line = ({ text }: Explanation, start: string): string =>
    text.split('\n').find((each) => each.startsWith(start)) ?? `no line ${start} in ${text}`;
  /**
   * Creates a collaborator, a program for the collaborator, and a visit. Returns the ids and the opportunity number.
   */
  const referred = async (code: string, terms: object = {}) => {
    const programId = await shop.program({ name: `Of ${code}`, enrollment: 'selected', ...terms });
    const collaboratorId = await shop.collaborator(code);
    await post(`/v1/programs/${programId}/collaborators`, { collaboratorId }, 201);
    return { programId, collaboratorId, oid: await shop.visit(code) };
  };

  it('name the collaborator, the program and the arithmetic', async () => {
    const { programId, collaboratorId, oid } = await referred('ann');
    await shop.sell('plain', oid, { total: 49.99 });
    const explanation = await explain('plain');
    assert.deepEqual([explanation.kind, explanation.refunds], ['sale', []]);
    assert.match(explanation.text, /^Sale “plain” from “shop” \(transaction \d+\) on .+ UTC: total 49\.99 USD, /);
    assert.ok(
      line(explanation, 'ann').startsWith(
        `ann (collaborator ${collaboratorId}) earned 5.00 USD in “Of ann” (program ${programId}, version 1): ` +
          '10% of 49.99 USD = 5.00 USD. Touches on ',
      ),
      explanation.text,
    );
    assert.deepEqual(
      explanation.conversions.map(({ type, awarded, amount, status }) => [type, awarded, amount, status]),
      [['sale', 500, 500, 'pending']],
    );
  });

  it('show the tier and both caps as they applied to each sale', async () => {
    const { oid } = await referred('tia', {
      tiers: { period: 'lifetime', by: 'count', steps: [{ from: 1, reward: { type: 'percent', percent: 20 } }] },
      capPerOrder: 1500,
      capPerPeriod: { period: 'lifetime', amount: 2000 },
    });
    await shop.sell('tier-1', oid);
    await service.settled();
    await shop.sell('tier-2', oid);
    const [first, second] = [await explain('tier-1'), await explain('tier-2')];
    assert.match(
      line(first, 'tia'),
      /: 10% of 100\.00 USD \(below the tier from 1 conversion, with 0 counted in all\) = 10\.00 USD\. /,
    );
    assert.match(
      line(second, 'tia'),
      /: 20% of 100\.00 USD \(tier from 1 conversion, with 1 counted in all\) = 20\.00 USD\. The cap per order reduces this to 15\.00 USD\. The cap of 20\.00 USD in all, with 10\.00 USD awarded before, reduces this to 10\.00 USD \(cap-reached\)\. /,
    );
    const [{ reason, terms, tierFrom, earnedForTier, earnedForCap, uncapped, reward, cut, share } = {} as Candidate] =
      second.candidates;
    assert.deepEqual(
      { reason, terms, tierFrom, earnedForTier, earnedForCap, uncapped, reward, cut, share },
      {
        reason: 'cap-reached',
        terms: 'tier',
        tierFrom: 1,
        earnedForTier: { sum: 1000, count: 1 },
        earnedForCap: 1000,
        uncapped: 2000,
        reward: 1500,
        cut: 500,
        share: 1000,
      },
    );
  });

  it('show how individual terms and program terms split the reward for the filtered lines', async () => {
    const { programId, oid } = await referred('una', { attribution: 'linear' });
    const owen = await shop.collaborator('owen');
    await post(`/v1/programs/${programId}/collaborators`, { collaboratorId: owen }, 201);
    await shop.change(`/v1/programs/${programId}`, {
      lineFilter: { include: [{ name: '*mug*' }] },
      collaboratorRewards: [{ collaboratorId: owen, reward: { type: 'percent', percent: 20 } }],
    });
    await shop.visit('owen', { oid });
    await shop.sell('own', oid, {
      total: 150,
      items: [
        { name: 'A mug', amount: 100 },
        { name: 'Tea', amount: 50 },
      ],
    });
    const explanation = await explain('own');
    const of = '% of 100.00 USD of the lines that pass the program’s filter';
    assert.ok(
      line(explanation, 'una').includes(
        `: 10${of}, weight 1 of 2. The sum of all shares is 15.00 USD. The share is 5.00 USD. `,
      ),
    );
    assert.ok(
      line(explanation, 'owen').includes(
        `: 20${of} (custom rate), weight 1 of 2. The sum of all shares is 15.00 USD. The share is 10.00 USD. `,
      ),
      explanation.text,
    );
  });

  it('name the winning program for a candidate whose program lost in its group', async () => {
    const { programId: loser, oid } = await referred('gil');
    const winner = await shop.program({ name: 'Of gus', enrollment: 'selected' });
    await post(`/v1/programs/${winner}/collaborators`, { collaboratorId: await shop.collaborator('gus') }, 201);
    await post('/v1/program-groups', { name: 'One pays', rule: 'newest', programIds: [loser, winner] }, 201);
    await shop.visit('gus', { oid });
    await shop.sell('grouped', oid);
    assert.match(
      line(await explain('grouped'), 'gil'),
      new RegExp(`\\(lost-in-group\\): “Of gus” \\(program ${winner}, version \\d+\\)\\. `),
    );
  });

  it('show refunds and the remaining amount of each conversion', async () => {
    const { collaboratorId, oid } = await referred('ruth');
    await shop.sell('back', oid, { total: 50 });
    await post('/v1/event/refund', { source: 'shop', externalId: 'back', refundId: 'r-1', amount: 20 });
    const partly = await explain('back');
    assert.match(
      line(partly, 'Partly refunded'),
      /^Partly refunded on .+ UTC \(refund “r-1”\): 20\.00 USD of 50\.00 USD\.$/,
    );
    assert.match(line(partly, 'Conversion'), /: 5\.00 USD awarded, worth 3\.00 USD now, pending\.$/);
    await shop.refund('back');
    const { refunds, conversions, text } = await explain('back');
    assert.deepEqual(
      refunds.map(({ kind, amount, refundId }) => [kind, amount, refundId]),
      [
        ['amount', 2000, 'r-1'],
        ['full', 3000, undefined],
      ],
    );
    assert.match(text, /Refunded on .+ UTC: 30\.00 USD of 50\.00 USD\./);
    assert.match(text, /: 5\.00 USD awarded, rejected because “refunded”: nothing is owed\.$/);
    assert.deepEqual(
      conversions.map((each) => [each.collaboratorId, each['status'], each['reason']]),
      [[collaboratorId, 'rejected', 'refunded']],
    );
  });

  it('show a refund of the whole amount as full, even if it was reported with an amount', async () => {
    const { oid } = await referred('rex');
    await shop.sell('all-back', oid, { total: 50 });
    await post('/v1/event/refund', { source: 'shop', externalId: 'all-back', refundId: 'r-1', amount: 50 });
    const { refunds, text } = await explain('all-back');
    assert.deepEqual(
      refunds.map(({ kind, amount }) => [kind, amount]),
      [['full', 5000]],
    );
    assert.match(text, /^Refunded on .+ UTC \(refund “r-1”\): 50\.00 USD of 50\.00 USD\.$/m);
  });

  it('show a manual credit with its author and note', async () => {
    const { programId, oid } = await referred('mia');
    const cy = await shop.collaborator('cy');
    await post(`/v1/programs/${programId}/collaborators`, { collaboratorId: cy }, 201);
    await shop.sell('by-hand', oid);
    const { transactionId } = await explain('by-hand');
    const body = { collaboratorId: cy, programId, amount: 123, note: 'Named on the phone' };
    const { id } = await post(`/v1/transactions/${transactionId}/credits`, body, 201);
    const explanation = await explain('by-hand');
    const [, credit] = explanation.conversions;
    assert.deepEqual([credit?.id, credit?.type, credit?.['note']], [id, 'manual', body.note]);
    assert.match(
      line(explanation, `Conversion ${id} of cy`),
      /, credited manually \(key \d+\) on .+ UTC, “Named on the phone”: 1\.23 USD awarded, pending\.$/,
    );
    const reply = await service.request('GET', `/v1/conversions/${id}/explanation`, { key: service.secretKey });
    assert.deepEqual(reply.body, explanation);
  });

  it('name the sale and the number of a renewal', async () => {
    const { oid } = await referred('ren', { pays: ['sale', 'renewal'] });
    await shop.sell('begun', oid);
    const { transactionId } = await explain('begun');
    await post('/v1/event/renewal', { source: 'shop', externalId: 'renewed', saleExternalId: 'begun', total: 20 });
    await service.settled();
    const explanation = await explain('renewed');
    assert.deepEqual(
      [explanation.kind, explanation.renewsTransactionId, explanation.renewalNumber],
      ['renewal', transactionId, 1],
    );
    assert.ok(
      explanation.text.startsWith(`Renewal 1 of transaction ${transactionId}, “renewed” from “shop” (transaction `),
    );
    assert.match(line(explanation, 'ren'), /: 10% of 20\.00 USD = 2\.00 USD\. Credited on .+ UTC\.$/);
  });

  it('name the reward for renewals', async () => {
    const renewalRewards = [{ afterMonths: 0, reward: { type: 'percent', percent: 5 } }];
    const { oid } = await referred('age', { pays: ['sale', 'renewal'], renewalRewards });
    await shop.sell('aged', oid);
    await post('/v1/event/renewal', { source: 'shop', externalId: 'aged-2', saleExternalId: 'aged', total: 20 });
    await service.settled();
    const explanation = await explain('aged-2');
    assert.deepEqual(
      explanation.candidates.map(({ terms, afterMonths }) => [terms, afterMonths]),
      [['renewal', 0]],
    );
    assert.match(line(explanation, 'age'), /: 5% of 20\.00 USD \(reward for renewals\) = 1\.00 USD\. /);
  });

  it('show the commission of a lead in the program’s currency', async () => {
    const { programId, oid } = await referred('lea', { currency: 'EUR', reward: { type: 'per-lead', amount: 2500 } });
    await post('/v1/event/lead', { trackingId: oid });
    await service.settled();
    const [conversion] = await shop.get<{ id: number }[]>(`/v1/conversions?programId=${programId}`);
    const explanation = await shop.get<Explanation>(`/v1/conversions/${conversion?.id}/explanation`);
    assert.deepEqual([explanation.kind, explanation.currency], ['lead', 'XXX']);
    assert.match(
      explanation.text,
      new RegExp(`^Lead “${oid}” from “lead” \\(transaction \\d+\\) on .+ UTC\\. 1 collaborator earned\\.`),
    );
    assert.match(line(explanation, 'lea'), /earned 25\.00 EUR in .+: 25\.00 EUR a lead = 25\.00 EUR\. /);
  });
});
