import assert from 'node:assert/strict';
import type { Reply, TestService } from '#test/support/service.ts';
import type { Fact, Refund, Renewal, Reward, Sale, Terms } from './facts.ts';
import type { Lateness } from './lateness.ts';

/** A client that reports facts to the service over HTTP, and the ids of the named resources. */
export type Merchant = {
  readonly service: TestService;
  readonly key: string;
  readonly organizationId: number;
  /** The start of the story, as a Unix time in milliseconds. The times of late reports are relative to it. */
  readonly begunAt: number;
  /** Releases the waiting reports. Does nothing if the pipeline isn't paused. */
  readonly release: () => Promise<void>;
  readonly programs: Map<string, number>;
  readonly groups: Map<string, number>;
  readonly collaborators: Map<string, number>;
  readonly runs: Map<string, number>;
  /**
   * The opportunity number in the response to each visit, sale and lead, by name. Also the ids of leads without a name.
   */
  readonly numbers: Map<string, string>;
};

const SOURCE = 'shop';
/** The slug of the only custom event. */
export const SLUG = 'quiz-done';

/** Creates a merchant with a new organization. */
export async function openMerchant(service: TestService, name: string, lateness?: Lateness): Promise<Merchant> {
  const key = await service.foundOrganization(name);
  const { rows } = await service.database.query<{ id: number }>('select id from organizations where name = $1', [name]);
  const organizationId = rows[0]?.id ?? 0;
  await lateness?.hold(organizationId);
  const merchant: Merchant = {
    service,
    key,
    organizationId,
    begunAt: Date.now(),
    release: async () => lateness?.release(organizationId),
    programs: new Map(),
    groups: new Map(),
    collaborators: new Map(),
    runs: new Map(),
    numbers: new Map(),
  };
  const reply = await call(merchant, 'POST', '/v1/custom-events', { slug: SLUG, name: SLUG });
  assert.equal(reply.status, 201, reply.text);
  return merchant;
}

/**
 * Reports one fact. If necessary, waits until earlier facts are decided. Returns whether the service accepted the fact,
 * and the reply. Fails if the status is 500 or above.
 */
export async function sendFact(
  merchant: Merchant,
  fact: Fact,
): Promise<{ readonly isTaken: boolean; readonly reply: Reply }> {
  if (!isHasty(fact)) await settle(merchant);
  const reply = await send(merchant, fact);
  assert.ok(reply.status < 500, reply.text);
  return { isTaken: reply.status < 300, reply };
}

/**
 * Returns whether a fact may be reported before the pipeline has decided earlier facts. Reports and configuration
 * changes may be reported early. Approvals, credits and payments need decided facts.
 */
export function isHasty(fact: Fact): boolean {
  switch (fact.do) {
    case 'visit':
    case 'coupon':
    case 'custom':
    case 'lead':
    case 'renewal':
    case 'erase':
    case 'program':
    case 'change-program':
    case 'delete-program':
    case 'group':
    case 'change-group':
    case 'delete-group':
    case 'collaborator':
    case 'change-collaborator':
    case 'enrol':
    case 'remove':
      return true;
    case 'sale':
    case 'refund':
    case 'reverse-refund':
    case 'correct':
      return true;
    case 'credit':
    case 'approve':
    case 'reject':
    case 'release':
    case 'run':
    case 'process':
    case 'complete':
    case 'fail':
    case 'mark-paid':
    case 'mark-unpaid':
    case 'review':
      return false;
    default:
      return fact satisfies never;
  }
}

const SETTLING_LIMIT_MS = 60_000;
const SETTLING_POLL_MS = 3;

/** Resolves once the pipeline has decided the merchant's reports and approved everything that is due. */
export async function settle({ service: { database }, organizationId, release }: Merchant): Promise<void> {
  await release();
  const deadline = performance.now() + SETTLING_LIMIT_MS;
  for (;;) {
    const { rows } = await database.query<{ waiting: number }>(
      `select (select count(*) from jobs where organization_id = $1 and dead_lettered_at is null)
         + (select count(*) from conversions where organization_id = $1 and status = 'pending' and approve_at <= now())
         as waiting`,
      [organizationId],
    );
    if (rows[0]?.waiting === 0) return;
    assert.ok(performance.now() < deadline, 'the pipeline settles within a minute');
    await new Promise((resolve) => setTimeout(resolve, SETTLING_POLL_MS));
  }
}

async function send(merchant: Merchant, fact: Fact): Promise<Reply> {
  const { programs, groups, collaborators, numbers } = merchant;
  const post = (path: string, body: unknown, headers = {}): Promise<Reply> =>
    call(merchant, 'POST', path, body, headers);
  switch (fact.do) {
    case 'program':
      return create(merchant, '/v1/programs', { name: fact.as, ...termsBody(merchant, fact.terms) }, programs, fact.as);
    case 'change-program':
      return call(merchant, 'PATCH', `/v1/programs/${programs.get(fact.program)}`, termsBody(merchant, fact.change));
    case 'delete-program':
      return call(merchant, 'DELETE', `/v1/programs/${programs.get(fact.program)}`);
    case 'group': {
      const body = { name: fact.as, rule: fact.rule, programIds: fact.programs.map((name) => programs.get(name)) };
      return create(merchant, '/v1/program-groups', body, groups, fact.as);
    }
    case 'change-group': {
      const programIds = fact.programs?.map((name) => programs.get(name));
      return call(merchant, 'PATCH', `/v1/program-groups/${groups.get(fact.group)}`, { rule: fact.rule, programIds });
    }
    case 'delete-group':
      return call(merchant, 'DELETE', `/v1/program-groups/${groups.get(fact.group)}`);
    case 'collaborator': {
      const aliases = ['tracking', 'coupon'].map((type) => ({ type, code: fact.as }));
      const body = { name: fact.as, aliases, userId: fact.userId };
      return create(merchant, '/v1/collaborators', body, collaborators, fact.as);
    }
    case 'change-collaborator': {
      const { status, userId, fraudReview } = fact;
      const body = { status, userId, fraudReview };
      return call(merchant, 'PATCH', `/v1/collaborators/${collaborators.get(fact.collaborator)}`, body);
    }
    case 'enrol':
      return post(`/v1/programs/${programs.get(fact.program)}/collaborators`, {
        collaboratorId: collaborators.get(fact.collaborator),
      });
    case 'remove':
      return call(
        merchant,
        'DELETE',
        `/v1/programs/${programs.get(fact.program)}/collaborators/${collaborators.get(fact.collaborator)}`,
      );
    case 'visit': {
      const headers = fact.presents === undefined ? {} : { 'X-Service-OID': numberOf(merchant, fact.presents) };
      const body = {
        collaboratorId: `tracking:${fact.collaborator}`,
        userId: fact.userId,
        occurredAt: occurredAt(merchant, fact),
      };
      const reply = await post('/v1/event/site-visited', body, headers);
      keepNumber(merchant, fact.as, reply);
      return reply;
    }
    case 'coupon':
      return post('/v1/event/coupon-applied', {
        trackingId: numberOf(merchant, fact.visit),
        code: fact.collaborator.toUpperCase(),
        occurredAt: occurredAt(merchant, fact),
      });
    case 'custom': {
      const collaboratorId = fact.collaborator === undefined ? undefined : collaborators.get(fact.collaborator);
      return post('/v1/event/custom', {
        event: fact.slug,
        trackingId: numberOf(merchant, fact.visit),
        collaboratorId,
        occurredAt: occurredAt(merchant, fact),
      });
    }
    case 'erase':
      return post('/v1/visitors/erase', { userId: fact.userId });
    case 'sale':
      return sell(merchant, fact);
    case 'lead': {
      const named = fact.isNamed ? { source: SOURCE, externalId: fact.as } : {};
      const presented = numberOf(merchant, fact.visit);
      const reply = await post('/v1/event/lead', {
        trackingId: presented,
        ...named,
        occurredAt: occurredAt(merchant, fact),
      });
      if (!fact.isNamed) numbers.set(leadNumber(fact.as), await numberOfLead(merchant, presented));
      keepNumber(merchant, fact.as, reply);
      return reply;
    }
    case 'renewal':
      return post('/v1/event/renewal', {
        ...goodsBody(fact),
        saleExternalId: fact.renews,
        occurredAt: occurredAt(merchant, fact),
      });
    case 'refund':
      return post('/v1/event/refund', refundBody(merchant, fact));
    case 'reverse-refund':
      return post('/v1/event/refund-reversal', { ...bindingOf(merchant, fact.transaction), refundId: fact.refundId });
    case 'correct':
      return post('/v1/event/sale-correction', {
        ...bindingOf(merchant, fact.transaction),
        correctionId: fact.correctionId,
        total: fact.total,
        items: fact.lines,
      });
    case 'credit':
      return post(`/v1/transactions/${(await findTransaction(merchant, fact.transaction)).id}/credits`, {
        collaboratorId: collaborators.get(fact.collaborator),
        programId: programs.get(fact.program),
        amount: fact.amount,
        aboveTotal: fact.aboveTotal,
        note: 'by phone',
      });
    case 'approve':
    case 'reject':
    case 'release':
      return reviewConversions(merchant, fact.do, fact.conversions);
    case 'run':
      return run(merchant, fact);
    case 'process':
    case 'complete':
    case 'fail':
      return post(`/v1/fulfillments/${merchant.runs.get(fact.run)}/${fact.do}`, {});
    case 'mark-paid':
    case 'mark-unpaid':
      return post(`/v1/payouts/${await payoutId(merchant, fact.payout)}/${fact.do}`, {});
    case 'review':
      return post(`/v1/payouts/${await payoutId(merchant, fact.payout)}/review`, {
        resolution: fact.resolution,
        note: 'looked at',
      });
    default:
      return fact satisfies never;
  }
}

function call(
  { service, key }: Merchant,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return service.request(method, path, { key, body, headers });
}

async function create(
  merchant: Merchant,
  path: string,
  body: unknown,
  ids: Map<string, number>,
  name: string,
): Promise<Reply> {
  const reply = await call(merchant, 'POST', path, body);
  assert.equal(reply.status, 201, reply.text);
  ids.set(name, (reply.body as { id: number }).id);
  return reply;
}

function termsBody(
  { groups, collaborators }: Merchant,
  { group, collaboratorRewards, ...terms }: Partial<Terms>,
): object {
  const own = collaboratorRewards?.map(({ collaborator, reward }: { collaborator: string; reward: Reward }) => ({
    collaboratorId: collaborators.get(collaborator),
    reward,
  }));
  return {
    ...terms,
    ...(own === undefined ? {} : { collaboratorRewards: own }),
    ...(group === undefined ? {} : { groupId: group === null ? null : groups.get(group) }),
  };
}

const MINUTE_MS = 60_000;

function occurredAt({ begunAt }: Merchant, { ago }: { readonly ago?: number }): string | undefined {
  return ago === undefined ? undefined : new Date(begunAt - ago * MINUTE_MS).toISOString();
}

function numberOf({ numbers }: Merchant, visit: string): string {
  const number = numbers.get(visit);
  assert.ok(number !== undefined, `${visit} was answered`);
  return number;
}

function keepNumber({ numbers }: Merchant, name: string, { headers }: Reply): void {
  const number = headers.get('X-Service-OID');
  if (number !== null) numbers.set(name, number);
}

async function sell(merchant: Merchant, fact: Sale): Promise<Reply> {
  const couponCodes = fact.coupons;
  const body = {
    ...goodsBody(fact),
    trackingId: numberOf(merchant, fact.visit),
    couponCodes,
    occurredAt: occurredAt(merchant, fact),
  };
  const reply = await call(merchant, 'POST', '/v1/event/sale', body);
  keepNumber(merchant, fact.as, reply);
  if (fact.refundAtOnce === undefined || reply.status !== 200) return reply;
  const refund = await call(merchant, 'POST', '/v1/event/refund', refundBody(merchant, fact.refundAtOnce));
  assert.equal(refund.status, 200, refund.text);
  return reply;
}

function goodsBody({ as: externalId, currency, total, lines: items }: Sale | Renewal): object {
  return { source: SOURCE, externalId, currency, total, items };
}

function refundBody(merchant: Merchant, { transaction, refundId, amount, upTo, items }: Refund): object {
  return { ...bindingOf(merchant, transaction), refundId, amount, upTo, items };
}

/**
 * Returns the source and external id of a transaction. A lead without a name is identified by the presented tracking
 * id.
 */
export function bindingOf(
  { numbers }: Merchant,
  name: string,
): { readonly source: string; readonly externalId: string } {
  const number = numbers.get(leadNumber(name));
  return number === undefined ? { source: SOURCE, externalId: name } : { source: 'lead', externalId: number };
}

/**
 * Returns the tracking id that identifies the visitor's lead: the presented id, or an earlier id of the same visitor.
 */
async function numberOfLead(merchant: Merchant, presented: string): Promise<string> {
  const query = new URLSearchParams({ source: 'lead', opportunityId: presented, sort: 'id' });
  const { body } = await call(merchant, 'GET', `/v1/transactions?${query.toString()}`);
  const numbers = (body as { externalId: string }[]).map(({ externalId }) => externalId);
  return numbers.includes(presented) ? presented : (numbers[0] ?? presented);
}

function leadNumber(name: string): string {
  return `number of ${name}`;
}

type Found = { readonly id: number; readonly occurredAt: string };

async function findTransaction(merchant: Merchant, name: string): Promise<Found> {
  const { source, externalId } = bindingOf(merchant, name);
  return only<Found>(merchant, '/v1/transactions', { source, externalId });
}

/** Returns the only row of a list with the given filters. Fails if there is no row, or more than one. */
async function only<Row>(merchant: Merchant, path: string, filters: Record<string, unknown>): Promise<Row> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) query.set(name, String(value));
  const rows = (await call(merchant, 'GET', `${path}?${query.toString()}`)).body as Row[];
  const [found] = rows;
  assert.ok(
    found !== undefined && rows.length === 1,
    `${path}?${query.toString()} returns one row, not ${rows.length}`,
  );
  return found;
}

/** Approves, rejects or clears conversions: one with the call for a single conversion, several with the bulk call. */
async function reviewConversions(
  merchant: Merchant,
  action: 'approve' | 'reject' | 'release',
  conversions: readonly string[],
): Promise<Reply> {
  const ids: number[] = [];
  for (const key of conversions) ids.push((await findConversion(merchant, key)).id);
  const reason = action === 'reject' ? { reason: 'looked odd' } : {};
  return ids.length === 1
    ? call(merchant, 'POST', `/v1/conversions/${ids[0]}/${action}`, reason)
    : call(merchant, 'POST', '/v1/conversions/bulk', { action, ids, ...reason });
}

async function findConversion(merchant: Merchant, key: string): Promise<{ id: number }> {
  const [transaction = '', program = '', collaborator = '', type] = key.split('/');
  const { id: transactionId } = await findTransaction(merchant, transaction);
  const programId = merchant.programs.get(program);
  const collaboratorId = merchant.collaborators.get(collaborator);
  return only(merchant, '/v1/conversions', { transactionId, programId, collaboratorId, type });
}

async function run(merchant: Merchant, fact: Fact & { do: 'run' }): Promise<Reply> {
  const { minimum, currency, conversions } = fact;
  const obligationIds: number[] = [];
  for (const key of conversions ?? []) {
    const { id } = await findConversion(merchant, key);
    const owed = await call(merchant, 'GET', `/v1/obligations?conversionId=${id}&perPage=100`);
    const positive = (owed.body as { id: number; amount: number }[]).filter(({ amount }) => amount > 0);
    obligationIds.push(...positive.map((obligation) => obligation.id));
  }
  const body = { minimum, currency, ...(conversions === undefined ? {} : { obligationIds }) };
  const reply = await call(merchant, 'POST', '/v1/fulfillments', body);
  if (reply.status === 201) {
    for (const { id, currency } of reply.body as { id: number; currency: string }[]) {
      merchant.runs.set(`${fact.as}/${currency}`, id);
    }
  }
  return reply;
}

async function payoutId(merchant: Merchant, key: string): Promise<number> {
  const fulfillmentId = merchant.runs.get(key.slice(0, key.lastIndexOf('/')));
  const collaboratorId = merchant.collaborators.get(key.slice(key.lastIndexOf('/') + 1));
  return (await only<{ id: number }>(merchant, '/v1/payouts', { fulfillmentId, collaboratorId })).id;
}

/**
 * Returns the time of a transaction, which determines the periods of its caps and tiers. The time is from the
 * database, not from the local clock. For a fact that reports no transaction, returns the current time.
 */
export async function soldAt(merchant: Merchant, fact: Fact): Promise<Date> {
  const isReport = fact.do === 'sale' || fact.do === 'lead' || fact.do === 'renewal';
  return isReport ? new Date((await findTransaction(merchant, fact.as)).occurredAt) : new Date();
}
