import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Mailbox, openMailbox, openPortal, type Portal } from '../support/portal.ts';
import { problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { openTill } from '../support/payouts.ts';
import { countTries } from '../support/throttles.ts';

const PAYPAL = { method: 'paypal', account: 'ada@pay.example' };

describe('POST /v1/collaborators/payout-details-reminder', () => {
  let service: TestService;
  let mailbox: Mailbox;
  let shop: Shop;
  let portal: Portal;
  before(async () => {
    service = await startService();
    mailbox = await openMailbox(service);
    shop = openShop(service);
  });
  after(() => service.stop());
  const remind = (ids: readonly number[]) =>
    service.request('POST', '/v1/collaborators/payout-details-reminder', { key: service.secretKey, body: { ids } });

  it('is refused while the portal is closed', async () => {
    assert.equal(problemCode(await remind([await shop.collaborator('al')])), 'invalid-transition');
    portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
  });

  it('emails only active collaborators without payout details, each at most once a day', async () => {
    const ada = await shop.collaborator('ada', { name: 'Ada', email: 'ada@example.com' });
    const bo = await shop.collaborator('bo', { email: 'bo@example.com' });
    const cy = await shop.collaborator('cy');
    const di = await shop.collaborator('di', { email: 'di@example.com', status: 'inactive' });
    const inPortal = await portal.enter('bo@example.com');
    await inPortal.must('PATCH', '/v1/portal/account', { payoutDetails: PAYPAL });
    assert.deepEqual((await remind([ada, bo, cy, di, 99_999, ada])).body, [
      { id: ada, outcome: 'reminded' },
      { id: bo, outcome: 'has-details' },
      { id: cy, outcome: 'unreachable' },
      { id: di, outcome: 'unreachable' },
      { id: 99_999, outcome: 'not-found' },
    ]);
    assert.deepEqual((await remind([ada])).body, [{ id: ada, outcome: 'rate-limited' }]);
    const [mail, ...more] = await mailbox.mailsTo('ada@example.com');
    assert.deepEqual(more, []);
    assert.match(mail?.subject ?? '', /needs your payout details/);
    assert.match(mail?.text ?? '', /^http:\/\/\S+\/portal\/mugs\/settings$/m);
    assert.deepEqual(await mailbox.mailsTo('di@example.com'), []);
  });

  it('emails at most 1,000 collaborators of an organization in an hour', async () => {
    await countTries(service, 'payout reminders of an organization', '1', 1_000);
    const eve = await shop.collaborator('eve', { email: 'eve@example.com' });
    assert.deepEqual((await remind([eve])).body, [{ id: eve, outcome: 'rate-limited' }]);
    assert.deepEqual(await mailbox.mailsTo('eve@example.com'), []);
  });

  it('reaches no collaborator of another organization', async () => {
    const other = openShop({ ...service, secretKey: await service.foundOrganization('Other') });
    const fay = await other.collaborator('fay', { email: 'fay@example.com' });
    assert.deepEqual((await remind([fay])).body, [{ id: fay, outcome: 'not-found' }]);
  });
});

describe('the payout method of a collaborator', () => {
  it('is shown in the preview and the payouts of a run, and can be used to filter the payouts', async () => {
    const service = await startService();
    const mailbox = await openMailbox(service);
    const shop = openShop(service);
    const portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
    await shop.program({ autoApprove: true });
    const ada = await shop.collaborator('ada', { email: 'ada@example.com' });
    const bo = await shop.collaborator('bo');
    for (const [code, order] of [
      ['ada', 'order-1'],
      ['bo', 'order-2'],
    ] as const) {
      await shop.sell(order, await shop.visit(code));
    }
    await service.settled();
    const inPortal = await portal.enter('ada@example.com');
    await inPortal.must('PATCH', '/v1/portal/account', { payoutDetails: PAYPAL });
    const till = openTill(service);
    type Shown = { collaboratorId: number; payoutMethod: string };
    const methods = (of: readonly object[] = []) =>
      (of as Shown[]).map(({ collaboratorId, payoutMethod }) => [collaboratorId, payoutMethod]);
    const expected = [
      [ada, 'paypal'],
      [bo, 'none'],
    ];
    assert.deepEqual(methods((await till.preview())[0]?.payouts), expected);
    const run = await till.runOne();
    assert.deepEqual(methods((await till.payoutsOf(run)).toSorted((a, b) => a.id - b.id)), expected);
    const without = await shop.get<Shown[]>(`/v1/payouts?fulfillmentId=${run.id}&payoutMethod=none`);
    assert.deepEqual(methods(without), [[bo, 'none']]);
    await service.stop();
  });
});
