import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { rateLimits } from '#platform/http/rate-limits.ts';
import { problemCode } from '../support/replies.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { startService, type TestService } from '../support/service.ts';
import {
  checkoutCompleted,
  type Connector,
  connectStripe,
  eventOf,
  refundOf,
  SECRET,
  signBody,
} from '../support/stripe.ts';

const OTHER_SECRET = 'whsec_C2FVsBQIhrscChlQIMV4b5sSYspob7oD';
const NOW = (): number => Math.floor(Date.now() / 1_000);

describe('POST /v1/connectors/{id}/webhook', () => {
  let service: TestService;
  let shop: Shop;
  let stripe: Connector;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    stripe = await connectStripe(service);
  });
  after(() => service.stop());

  async function stored(externalId: string): Promise<number> {
    const { rowCount } = await service.database.query('select from connector_events where external_id = $1', [
      externalId,
    ]);
    return rowCount ?? 0;
  }

  it('stores a signed event once, however often it is sent', async () => {
    const event = eventOf('customer.subscription.updated', { id: 'sub_1' });
    await Promise.all(Array.from({ length: 16 }, () => stripe.send(event)));
    assert.equal(await stored(event.id), 1);
    await service.settled();
    const [found] = await stripe.events('&type=customer.subscription.updated');
    assert.equal(found?.state, 'ignored');
    assert.equal(found.reason, 'The payments of a subscription arrive as invoices.');
  });

  it('verifies the signature over the exact bytes, including spaces and escapes', async () => {
    const event = eventOf('plan.created', { id: 'é ☕ 🙂' });
    const text = ` ${JSON.stringify(event, undefined, 3)}\n`;
    const reply = await stripe.sendRaw(text, { 'stripe-signature': signBody(text), 'content-type': 'text/plain' });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.text, '');
    const [found] = await stripe.events('&type=plan.created');
    const { body } = await service.request('GET', `/v1/connectors/${stripe.id}/events/${found?.id}`, {
      key: service.secretKey,
    });
    assert.equal((body as { payload: string }).payload, text);
  });

  describe('refuses', () => {
    const event = eventOf('plan.deleted', { id: 'x' });
    const text = JSON.stringify(event);
    const attacks: Readonly<Record<string, () => readonly [body: string, signature: string | undefined]>> = {
      'a message without a signature': () => [text, undefined],
      'an empty signature': () => [text, ''],
      'the signature of another secret': () => [text, signBody(text, OTHER_SECRET)],
      'a signature that is six minutes old': () => [text, signBody(text, SECRET, NOW() - 360)],
      'a signature whose timestamp was changed': () => [text, signBody(text).replace(/t=\d+/, `t=${NOW() + 5}`)],
      'a body that was changed': () => [text.replace('"x"', '"y"'), signBody(text)],
      'a body with one more space': () => [`${text} `, signBody(text)],
      'two signatures of other secrets': () => [text, `${signBody(text, OTHER_SECRET)},v1=${'0'.repeat(64)}`],
      'a signature of another scheme': () => [text, signBody(text).replace('v1=', 'v0=')],
      'a truncated signature': () => [text, signBody(text).slice(0, -1)],
      'a signature without a value': () => [text, `t=${NOW()},v1=`],
      'a signature without a value or an equals sign': () => [text, `t=${NOW()},v1`],
      'a signature that repeats its time and scheme 2,000 times': () => [text, 't=1,v1='.repeat(2_000)],
      'the secret as the signature': () => [text, `t=${NOW()},v1=${SECRET}`],
    };
    for (const [attack, made] of Object.entries(attacks)) {
      it(attack, async () => {
        const [body, signature] = made();
        const headers = signature === undefined ? {} : { 'stripe-signature': signature };
        const reply = await stripe.sendRaw(body, headers);
        assert.equal(reply.status, 401, reply.text);
        assert.equal(problemCode(reply), 'invalid-signature');
        assert.equal(await stored(event.id), 0);
      });
    }

    it('a message that is signed with another organization’s secret', async () => {
      const key = await service.foundOrganization('Other');
      const other = await connectStripe(service, { secret: OTHER_SECRET }, key);
      const reply = await stripe.sendRaw(text, { 'stripe-signature': signBody(text, OTHER_SECRET) });
      assert.equal(reply.status, 401);
      await other.sendRaw(text, { 'stripe-signature': signBody(text, OTHER_SECRET) });
      assert.equal(await stored(event.id), 1);
      assert.equal((await stripe.events('&type=plan.deleted')).length, 0);
    });

    it('signed bytes that are not an event', async () => {
      for (const body of ['', 'null', '[]', '{}', '{"object":"event"}', 'no json', '{"object":"v2.core.event"}']) {
        const reply = await stripe.sendRaw(body, { 'stripe-signature': signBody(body) });
        assert.equal(reply.status, 400, body);
        assert.equal(problemCode(reply), 'malformed-json');
      }
    });

    const unstorable: Readonly<Record<string, Record<string, unknown>>> = {
      'an empty id': { id: '' },
      'an id of 256 characters': { id: 'e'.repeat(256) },
      'an id with a NUL': { id: 'evt_\0' },
      'a type of 256 characters': { type: 't'.repeat(256) },
      'a type with a NUL': { type: 'invoice.paid\0' },
      'a time before 1970': { created: -1e11 },
      'a time after the year 9999': { created: 1e300 },
      'a customer of 256 characters': { data: { object: { customer: 'c'.repeat(256) } } },
      'a customer with a NUL': { data: { object: { customer: 'cus_\0' } } },
    };
    for (const [what, fields] of Object.entries(unstorable)) {
      it(`a signed event with ${what}`, async () => {
        const body = JSON.stringify(eventOf('invoice.paid', { id: 'in_1' }, fields));
        const reply = await stripe.sendRaw(body, { 'stripe-signature': signBody(body) });
        assert.equal(reply.status, 400, reply.text);
        assert.equal(problemCode(reply), 'malformed-json');
      });
    }

    it('a message to an unknown or deleted connector', async () => {
      const gone = await connectStripe(service);
      await service.request('DELETE', `/v1/connectors/${gone.id}`, { key: service.secretKey });
      for (const id of [gone.id, 8_999_999, 'x', '0']) {
        const reply = await service.request('POST', `/v1/connectors/${id}/webhook`, {
          body: text,
          headers: { 'stripe-signature': signBody(text) },
        });
        assert.equal(reply.status, 404, String(id));
      }
    });

    it('a body above 1 MiB', async () => {
      const large = JSON.stringify(eventOf('plan.created', { id: 'x'.repeat(1_048_576) }));
      const reply = await stripe.sendRaw(large, { 'stripe-signature': signBody(large) });
      assert.equal(reply.status, 413);
    });
  });

  for (const [what, type, value] of [
    ['is nested too deeply', 'invoice.deep', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['has more than 50,000 values', 'invoice.wide', `[${'0,'.repeat(50_000)}0]`],
  ] as const) {
    it(`refuses an event that ${what}`, async () => {
      const event = eventOf(type, { id: 'in_1' });
      const body = JSON.stringify(event).replace('"in_1"', value);
      const reply = await stripe.sendRaw(body, { 'stripe-signature': signBody(body) });
      assert.deepEqual([reply.status, problemCode(reply)], [400, 'malformed-json']);
      assert.deepEqual(await stripe.events(`&type=${type}`), []);
    });
  }

  it('refuses a message to an unknown connector before its body arrives', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(`POST /v1/connectors/5/webhook HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 1000000\r\n\r\n{`);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    assert.match(chunk.toString(), /^HTTP\/1\.1 404 /);
    socket.destroy();
  });

  it('processes all events even if their payloads together exceed 1 MiB', async () => {
    const events = [1, 2, 3].map((n) => eventOf('plan.created', { id: `${n}${'x'.repeat(700_000)}` }));
    await Promise.all(events.map((event) => stripe.send(event)));
    await service.settled();
    const { rows } = await service.database.query(
      `select state, count(*)::int as count from connector_events where length(payload) > 700000 group by state`,
    );
    assert.deepEqual(rows, [{ state: 'ignored', count: 3 }]);
  });

  it('accepts a body just below 1 MiB', async () => {
    const event = eventOf('plan.created', { id: 'x'.repeat(1_000_000) });
    await stripe.send(event);
    assert.equal(await stored(event.id), 1);
  });

  it('accepts a message that is signed with both the old and the new secret, as during a rotation', async () => {
    const event = eventOf('plan.updated', { id: 'x' });
    const text = JSON.stringify(event);
    const both = `${signBody(text, OTHER_SECRET)},${signBody(text).replace(/^t=\d+,/, '')}`;
    assert.equal((await stripe.sendRaw(text, { 'stripe-signature': both })).status, 200);
  });

  it('limits the rate of messages from one network, signed or not, and names the policy in the response', async () => {
    const counted = rateLimits({ secret: 0, publishable: 0 }, () => 0);
    const verdicts = Array.from({ length: 2_001 }, () => counted({ kind: 'sender', caller: 'signed' }, '203.0.113.7'));
    assert.deepEqual(
      verdicts.map((verdict) => verdict?.allowed).filter((allowed) => allowed === false),
      [false],
    );
    const text = JSON.stringify(eventOf('plan.created', { id: 'limited' }));
    const reply = await stripe.sendRaw(text, { 'stripe-signature': signBody(text) });
    assert.match(reply.headers.get('ratelimit-policy') ?? '', /^"sender";q=2000;w=1$/);
  });

  it('counts a large message as one message for each full or partial 16 KiB of its declared size', async () => {
    const left = async (bytes: number): Promise<number> => {
      const reply = await stripe.sendRaw('x'.repeat(bytes));
      assert.equal(reply.status, 401);
      return Number(/r=(\d+)/.exec(reply.headers.get('ratelimit') ?? '')?.[1]);
    };
    const [large, limit] = [await left(1_000_000), 2_000];
    assert.ok(large <= limit - 62, `${large} left after a message of 1,000,000 bytes`);
    const counted = rateLimits({ secret: 0, publishable: 0 }, () => 0);
    const verdicts = Array.from({ length: 32 }, () => counted({ kind: 'sender', caller: 'signed' }, '203.0.113.7', 64));
    assert.equal(verdicts.filter((verdict) => verdict?.allowed).length, 31);
  });

  it('stores a test event for a live connector, or a live event for a test connector, as ignored', async () => {
    const event = eventOf('invoice.paid', { id: 'in_test' }, { livemode: false });
    await stripe.send(event);
    const [found] = await stripe.events('&type=invoice.paid');
    assert.equal(found?.state, 'ignored');
    assert.equal(found.reason, 'This is a test event, and the connector accepts live events only.');
    const retried = `/v1/connectors/${stripe.id}/events/${found.id}/retry`;
    assert.equal(problemCode(await service.request('POST', retried, { key: service.secretKey })), 'invalid-transition');
    const testKey = await service.foundOrganization('Try out', 'test');
    const tests = await connectStripe(service, {}, testKey);
    await tests.send(event);
    await service.settled();
    assert.notEqual((await tests.events())[0]?.reason, found.reason);
    await tests.send(eventOf('plan.created', { id: 'plan_live' }, { livemode: true }));
    const [live] = await tests.events('&type=plan.created');
    assert.equal(live?.reason, 'This is a live event, and the connector accepts test events only.');
  });

  it('keeps an event waiting until its order arrives, and then processes it', async () => {
    const refund = refundOf('refund.created', { id: 're_early', payment_intent: 'pi_late', amount: 100 });
    await stripe.send(refund);
    await service.settled();
    const stateOf = async () => (await stripe.events('&type=refund.created')).at(-1)?.state;
    assert.equal(await stateOf(), 'waiting');
    assert.equal((await stripe.get()).waitingEvents, 1);
    await stripe.send(checkoutCompleted({ mode: 'payment', payment_intent: 'pi_late', amount_total: 1_000 }));
    await service.settled();
    assert.equal(await stateOf(), 'processed');
    assert.equal(
      (await shop.get<{ refundedAmount: number }[]>('/v1/transactions?externalId=pi_late'))[0]?.refundedAmount,
      100,
    );
  });

  it('dead-letters an event that has waited for 30 days, and processes it after a retry', async () => {
    await stripe.send(refundOf('refund.created', { id: 're_lost', payment_intent: 'pi_lost', amount: 100 }));
    await service.settled();
    await service.database.query(
      `update connector_events set waiting_since = now() - interval '30 days', due_at = now() where state = 'waiting'`,
    );
    await service.settled();
    const [lost] = await stripe.events('&state=dead-lettered&type=refund.created');
    assert.equal(
      lost?.reason,
      'The order of this event has not arrived. This event has waited for 30 days. ' +
        'Send the missing event again from the connected system and retry this event, or dismiss it.',
    );
    await stripe.send(checkoutCompleted({ mode: 'payment', payment_intent: 'pi_lost', amount_total: 1_000 }));
    const path = `/v1/connectors/${stripe.id}/events/${lost.id}`;
    assert.equal((await service.request('POST', `${path}/retry`, { key: service.secretKey })).status, 200);
    await service.settled();
    assert.equal((await stripe.events('&state=dead-lettered&type=refund.created')).length, 0);
    const again = await service.request('POST', `${path}/retry`, { key: service.secretKey });
    assert.equal(problemCode(again), 'invalid-transition');
  });

  it('tries an event five times if it fails unexpectedly, then dead-letters it with the error', async () => {
    await service.database.query(
      `create function refuse_bad() returns trigger language plpgsql as $$ begin
         if new.external_id = 'pi_bad' then raise exception 'the disk is on fire'; end if; return new; end $$`,
    );
    await service.database.query(
      'create trigger refuse_bad before insert on transactions for each row execute function refuse_bad()',
    );
    await stripe.send(
      checkoutCompleted({ mode: 'payment', payment_intent: 'pi_bad', amount_total: 1_000 }),
      checkoutCompleted({ mode: 'payment', payment_intent: 'pi_good', amount_total: 1_000 }),
    );
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await service.settled();
      const { rows } = await service.database.query<{ attempts: number; state: string }>(
        `update connector_events set due_at = case when state = 'pending' then now() end
         where reason = 'the disk is on fire' returning attempts, state`,
      );
      assert.deepEqual(rows, [{ attempts: attempt, state: attempt < 5 ? 'pending' : 'dead-lettered' }]);
    }
    assert.equal((await shop.transactionOf('pi_good')).status, 'complete');
    await service.database.query('drop trigger refuse_bad on transactions');
  });
});
