// oxlint-disable typescript/switch-exhaustiveness-check -- `default` handles the codes of later releases
import { PreconditionError, signWebhook, toMajor, toMinor, verifyWebhook, Whence, WhenceError } from '#sdk/whence.ts';
import type { WebhookEvent } from '#sdk/whence.ts';
import type { Examples } from '../example.ts';

/** The snippets of packages/sdk/README.md. */
export const guide: Examples = {
  async guideReports({ whence, collaboratorId: _ada }) {
    // A visit with ?ref=ada. If you have the visitor's tracking id, pass it as the option `opportunity`.
    const opportunity = await whence.report.visit({ collaboratorId: 'tracking:ada', userId: 7 });

    // An order. You can send the same report again: a repeat changes nothing.
    await whence.report.sale({ source: 'shop', externalId: 'order-1001', total: '49.99', trackingId: opportunity });

    // An order without a referral.
    await whence.report.sale({ source: 'shop', externalId: 'order-1002', total: '20.00', trackingId: null });

    // A refund of an amount, and a refund of the rest. A partial refund needs its own id.
    await whence.report.refund({ source: 'shop', externalId: 'order-1001', refundId: 'r-1', amount: '12.00' });
    await whence.report.refund({ source: 'shop', externalId: 'order-1001' });
  },

  guideAmounts() {
    toMinor('19.99', 'USD'); // 1999, for totalMinor and amountMinor
    toMinor('1234', 'JPY'); // 1234: yen have no decimals
    toMajor(123_400, 'JPY'); // '1234', from an amount in a response
    return Promise.resolve();
  },

  async guideLists({ whence, conversionId: _pending }) {
    // Every row. The loop fetches the next page when it needs it.
    for await (const conversion of whence.conversions.list({ status: 'pending', sort: 'createdAt' })) {
      console.log(conversion.amount, conversion.currency); // 500 USD
    }

    // One page. `after` is the cursor of the next page. It is missing on the last page.
    const { data, estimatedCount, after } = await whence.conversions.list({ perPage: 25 });
    console.log(data.length, estimatedCount, after === undefined); // 1 1 true

    // All rows, up to your limit.
    const unpaid = await whence.payouts.list({ status: 'unpaid' }).toArray({ limit: 1_000 });
    console.log(unpaid.length); // 0

    // One page at a time, for bulk calls.
    for await (const page of whence.conversions.list({ status: 'pending' }).pages()) {
      await whence.conversions.bulk({ action: 'approve', ids: page.data.map(({ id }) => id) });
    }
  },

  async guideErrors({ whence }) {
    try {
      await whence.report.refund({ source: 'shop', externalId: 'order-404' });
    } catch (error) {
      if (!(error instanceof WhenceError)) throw error;
      switch (error.code) {
        case 'sale-not-found':
          console.log('Never reported: nothing to refund.'); // Never reported: nothing to refund.
          break;
        case 'invalid-request':
          for (const { pointer, detail } of error.errors) console.log(pointer, detail);
          break;
        default:
          throw error;
      }
    }
  },

  async guideAgain({ whence }) {
    const options = { idempotencyKey: 'sign-up-7' };
    const ada = await whence.collaborators.create({ name: 'Ada Lovelace' }, options);
    // Suppose that the process was killed before it got the response. After its restart, it repeats the call.
    const same = await whence.collaborators.create({ name: 'Ada Lovelace' }, options);
    console.log(ada.id === same.id); // true
  },

  async guideVersions({ whence, programId }) {
    const { data: program, etag } = await whence.programs.get(programId).withResponse();
    try {
      await whence.programs.update(program.id, { windowDays: program.windowDays + 30 }, { ifMatch: etag });
    } catch (error) {
      if (!(error instanceof PreconditionError)) throw error;
      console.log('Someone else changed it first. Fetch it again and retry.');
    }
  },

  async guideWebhook({ delivery, signingSecret }) {
    async function receive(request: Request): Promise<Response> {
      let event: WebhookEvent;
      try {
        event = await verifyWebhook(await request.text(), request.headers, signingSecret);
      } catch {
        return new Response(null, { status: 400 });
      }
      switch (event.type) {
        case 'conversion.approved':
          console.log(event.data.amount, event.data.currency); // 500 USD
          break;
        case 'payout.paid':
          console.log(event.data.paidAt);
          break;
        default:
        // Also acknowledge event types that this endpoint doesn't handle.
      }
      return new Response(null, { status: 204 });
    }

    console.log((await receive(delivery)).status); // 204
  },

  async guideTests({ signingSecret }) {
    // Replace `fetch` to test with a response of the service.
    const whence = new Whence({
      baseUrl: 'https://whence.test',
      apiKey: 'sk_live_test',
      fetch: async () => Response.json({ id: 41, status: 'approved' }),
    });
    console.log((await whence.conversions.approve(41)).status); // approved

    // Sign a body to test with a request of the service to your endpoint.
    const body = JSON.stringify({ type: 'payout.paid', timestamp: new Date(), data: { id: 61 }, deliveryId: '1' });
    const headers = await signWebhook(body, signingSecret);
    console.log((await verifyWebhook(body, headers, signingSecret)).type); // payout.paid
  },

  async guideLog({ baseUrl, apiKey }) {
    const whence = new Whence({
      baseUrl,
      apiKey,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        console.log(init.method, new URL(url).pathname, response.status); // GET /v1/organization 200
        return response;
      },
    });
    await whence.organization.get();
  },
};
