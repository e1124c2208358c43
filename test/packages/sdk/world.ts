import assert from 'node:assert/strict';
import { Client } from 'pg';
import { lockBacktests } from '#backtest/store/backtests.ts';
import type { OrganizationId } from '#core/ids.ts';
import { signWebhook, Whence } from '#sdk/whence.ts';
import type { TestService } from '../../support/service.ts';
import type { Example, World } from './example.ts';
import { PASSWORD } from '../../support/people.ts';
import { codeOf, type Joined, peopleWorld } from './people-world.ts';
import { portalWorld } from './portal-world.ts';
import { openCalls } from '../../backtest/started.ts';
import { refundOf, signBody } from '../../support/stripe.ts';

type Get = <Name extends keyof World>(name: Name) => Promise<World[Name]>;
type Makers = { readonly [Name in keyof World]: (get: Get) => World[Name] | Promise<World[Name]> };

const DAY_MS = 86_400_000;
const SIGNING_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

/**
 * Creates an organization with the requested resources and the resources that they depend on. Returns the requested
 * resources by name.
 */
export async function makeWorld(service: TestService, names: readonly (keyof World)[]): Promise<World> {
  const apiKey = await service.foundOrganization('Example');
  const makers = makersOf(service, apiKey);
  const made = new Map<keyof World, Promise<unknown>>();
  const get = ((name: keyof World) => {
    const making = made.get(name) ?? Promise.resolve(makers[name](get));
    made.set(name, making);
    return making;
  }) as Get;
  const entries: [string, unknown][] = [];
  for (const name of names) entries.push([name, await get(name)]);
  return Object.fromEntries(entries) as unknown as World;
}

/** Returns the names that an example destructures from its parameter. */
export function needsOf(example: Example): (keyof World)[] {
  const names = /\(\s*\{([^}]*)\}/.exec(example.toString())?.[1] ?? '';
  return names
    .split(',')
    .map((name) => name.split(':', 1).join().trim())
    .filter((name): name is keyof World => name !== '');
}

function makersOf(service: TestService, apiKey: string): Makers {
  const whence = new Whence({ baseUrl: service.url, apiKey });
  const portals = portalWorld(service);
  const persons = peopleWorld(service);
  let joining: Promise<Joined> | undefined;
  // Add another owner before Grace, so that examples can change and remove Grace.
  const grace = (): Promise<Joined> => (joining ??= persons.join(whence).then(() => persons.join(whence)));
  const sell = async (externalId: string, trackingId: number): Promise<number> => {
    await whence.report.sale({ source: 'shop', externalId, total: 50, trackingId });
    await service.settled();
    const [transaction] = await whence.transactions.list({ externalId }).toArray({ limit: 1 });
    return idOf(transaction);
  };
  return {
    whence: () => whence,
    baseUrl: () => service.url,
    apiKey: () => apiKey,
    collaboratorId: async () => {
      const aliases = [
        { type: 'tracking', code: 'ada' },
        { type: 'coupon', code: 'ADA10' },
      ];
      return idOf(await whence.collaborators.create({ name: 'Ada Lovelace', email: 'ada@example.com', aliases }));
    },
    aliasId: async (get) => firstId(await whence.collaborators.listAliases(await get('collaboratorId'))),
    programId: async () =>
      idOf(await whence.programs.create({ name: 'Affiliates', reward: { type: 'percent', percent: 10 } })),
    selectProgramId: async (get) => {
      const reward = { type: 'per-sale' as const, amount: 500 };
      const { id } = await whence.programs.create({ name: 'Partners', enrollment: 'selected', reward });
      await whence.programs.enrollCollaborator(id, { collaboratorId: await get('collaboratorId') });
      return id;
    },
    backtestId: async (get) => {
      await get('transactionId');
      const programId = await get('programId');
      const [today = ''] = new Date().toISOString().split('T');
      const [until = ''] = new Date(Date.now() + DAY_MS).toISOString().split('T');
      const drafts = [{ name: 'Twelve percent', terms: { reward: { type: 'percent' as const, percent: 12 } } }];
      const { id } = await whence.programs.backtest(programId, { from: today, until, drafts });
      assert.equal((await openCalls(service.request, apiKey).ended(id)).status, 'succeeded');
      return id;
    },
    queuedBacktestId: async (get) => {
      const client = new Client({ connectionString: service.databaseUrl });
      await client.connect();
      const { rows } = await client.query<{ id: OrganizationId }>('select max(id) as id from organizations');
      const organizationId = (rows[0] as { id: OrganizationId }).id;
      assert.ok(await lockBacktests({ connection: client, organizationId }));
      const drafts = [{ terms: { windowDays: 60 } }];
      const period = { from: '2026-01-01', until: '2026-07-01' };
      const { id } = await whence.programs.backtest(await get('programId'), { ...period, drafts });
      void openCalls(service.request, apiKey)
        .ended(id)
        .then(async () => client.end());
      return id;
    },
    programGroupId: async (get) =>
      idOf(
        await whence.programGroups.create({
          name: 'One of these',
          rule: 'newest',
          programIds: [await get('programId')],
        }),
      ),
    customEventId: async () =>
      idOf(await whence.customEvents.create({ slug: 'newsletter', name: 'Newsletter sign-up' })),
    fraudListEntryId: async () =>
      idOf(await whence.fraudListEntries.create({ list: 'deny', kind: 'email-domain', value: 'farm.example' })),
    apiKeyId: async () => idOf(await whence.apiKeys.create({ label: 'Checkout', scopes: ['events:write'] })),
    auditEntryId: async (get) => {
      await get('programId');
      return firstId(await whence.auditEntries.list({ operation: 'createProgram' }));
    },
    webhookId: async () => idOf(await whence.webhooks.create({ url: 'https://shop.example/whence' })),
    deliveryId: async (get) => idOf(await whence.webhooks.test(await get('webhookId'))),
    connectorId: async () =>
      idOf(await whence.connectors.create({ kind: 'stripe', name: 'Stripe', secret: SIGNING_SECRET })),
    connectorEventId: async (get) => {
      const id = await get('connectorId');
      const body = JSON.stringify(refundOf('refund.created', { id: 're_1', payment_intent: 'pi_1', amount: 100 }));
      const headers = { 'stripe-signature': signBody(body, SIGNING_SECRET) };
      await service.request('POST', `/v1/connectors/${id}/webhook`, { body, headers });
      await service.settled();
      return firstId(await whence.connectors.listEvents(id));
    },
    paymentsList: () =>
      'id,Created date (UTC),Amount,Amount Refunded,Currency,Status,PaymentIntent ID,Invoice ID\n' +
      'ch_1,2026-11-20 10:00:00,50.00,0.00,usd,Paid,pi_1,\n',
    signingSecret: () => SIGNING_SECRET,
    delivery: async (get) => {
      const data = await whence.conversions.approve(await get('conversionId'));
      const timestamp = new Date().toISOString();
      const body = JSON.stringify({ type: 'conversion.approved', timestamp, data, deliveryId: '1' });
      const headers = await signWebhook(body, SIGNING_SECRET);
      return new Request('https://shop.example/whence', { method: 'POST', body, headers });
    },
    opportunity: async (get) => {
      await get('collaboratorId');
      await get('programId');
      return whence.report.visit({ collaboratorId: 'tracking:ada' });
    },
    engagementId: async (get) => firstId(await whence.engagements.list({ opportunityId: await get('opportunity') })),
    transactionId: async (get) => sell('order-1001', await get('opportunity')),
    conversionId: async (get) => firstId(await whence.conversions.list({ transactionId: await get('transactionId') })),
    obligationId: async (get) => firstId(await whence.obligations.list({ conversionId: await get('conversionId') })),
    eventId: async (get) => firstId(await whence.events.list({ transactionId: await get('transactionId') })),
    deadLetteredEventId: async (get) =>
      deadLetteredEvent(service, whence, await get('programId'), await get('opportunity')),
    fulfillmentId: async (get) => {
      await whence.conversions.approve(await get('conversionId'));
      const [run] = await whence.fulfillments.create();
      return idOf(run);
    },
    payableFulfillmentId: async (get) => {
      const { portal } = await get('asCollaborator');
      await portal.changeAccount({ payoutDetails: { method: 'paypal', account: 'ada@example.com' } });
      return get('fulfillmentId');
    },
    payoutId: async (get) => firstId(await whence.payouts.list({ fulfillmentId: await get('fulfillmentId') })),
    paidPayoutId: async (get) => idOf(await whence.payouts.markPaid(await get('payoutId'))),
    processingFulfillmentId: async (get) => idOf(await whence.fulfillments.process(await get('fulfillmentId'))),
    flaggedPayoutId: async (get) => {
      const payoutId = await get('payoutId');
      await whence.report.refund({ source: 'shop', externalId: 'order-1001' });
      await service.settled();
      return payoutId;
    },
    slug: () => portals.open(whence),
    unusedSlug: () =>
      `not-${apiKey
        .slice(-12)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, '0')}`,
    entryToken: async (get) => {
      await get('collaboratorId');
      return portals.linkFor(await get('slug'), 'ada@example.com');
    },
    asCollaborator: async (get) => {
      await get('collaboratorId');
      return portals.enter(await get('slug'), 'ada@example.com');
    },
    authenticator: () => portals.newAuthenticator(),
    adasAuthenticator: async (get) => {
      const [{ portal }, authenticator] = [await get('asCollaborator'), portals.newAuthenticator()];
      await portal.createPasskey({ name: 'Phone', response: authenticator.create(await portal.challengePasskey()) });
      return authenticator;
    },
    portalPasskeyId: async (get) => {
      await get('adasAuthenticator');
      return firstId(await (await get('asCollaborator')).portal.listPasskeys());
    },
    newEmail: () => persons.newEmail(),
    invitationToken: () => persons.inviteBy(whence),
    password: () => PASSWORD,
    newPassword: () => 'wool lantern at sea',
    page: () => persons.page,
    asPerson: async () => (await grace()).page,
    email: async () => (await grace()).email,
    personId: async () => (await grace()).id,
    resetToken: async () => persons.resetFor((await grace()).email),
    codeOf: () => codeOf,
    personsAuthenticator: async () => {
      const [{ account }, authenticator] = [(await grace()).page, portals.newAuthenticator()];
      await account.createPasskey({ name: 'Phone', response: authenticator.create(await account.challengePasskey()) });
      return authenticator;
    },
    passkeyId: async (get) => {
      await get('personsAuthenticator');
      return firstId(await (await grace()).page.account.listPasskeys());
    },
    today: () => dayFrom(0),
    tomorrow: () => dayFrom(1),
  };
}

/** Returns the UTC date `days` days from now, as YYYY-MM-DD. */
function dayFrom(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

const DEAD_LETTER_LIMIT_MS = 30_000;

/**
 * Creates a dead-lettered event and returns its id. No API call can make an event fail. So the function gives the
 * program an unknown type of reward in the database until the event has failed, and then marks the event as
 * dead-lettered.
 */
async function deadLetteredEvent(
  { database }: TestService,
  whence: Whence,
  programId: number,
  trackingId: number,
): Promise<number> {
  const setReward = (reward: object) =>
    database.query('update program_versions set reward = $2 where program_id = $1', [
      programId,
      JSON.stringify(reward),
    ]);
  await setReward({ type: 'per-moon' });
  await whence.report.sale({ source: 'shop', externalId: 'order-1002', total: 50, trackingId });
  const deadline = performance.now() + DEAD_LETTER_LIMIT_MS;
  for (;;) {
    const { rowCount } = await database.query(
      `update jobs set dead_lettered_at = now()
       where error is not null and organization_id = (select organization_id from programs where id = $1)`,
      [programId],
    );
    if (rowCount === 1) break;
    assert.ok(performance.now() < deadline, 'the event fails');
  }
  await setReward({ type: 'percent', ratePpm: 100_000 });
  return firstId(await whence.events.list({ state: 'parked' }));
}

function firstId({ data }: { readonly data: readonly { readonly id: number }[] }): number {
  return idOf(data[0]);
}

function idOf(resource: { readonly id: number } | undefined): number {
  assert.ok(resource, 'the resource exists');
  return resource.id;
}
