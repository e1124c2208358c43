import type { Conversion, Whence } from '@whence/sdk';
import { APPLICANTS, CAST, type Circle, emailOf, type Player } from './cast.ts';
import { inviteViewer, type People } from './people.ts';
import { addMaterials, apply, enterDetails, openPortal } from './portal.ts';
import type { Printed } from './printed.ts';
import { CLOSED_PORT, RECEIVER_PORT } from './receiver.ts';
import { DAY, HOUR, MINUTE } from '#tools/traffic/story.ts';
import type { Span } from './traffic.ts';
import { recipeOf, type RecipeSlug, RECIPES } from '#examples/recipes/recipes.ts';

/** An action of the merchant's people. `at` is the time that the clock shows. */
export type Task = (at: number) => Promise<void>;

export type Moment = { readonly at: number; readonly what: Task };

/** The id of each program, under the name of its recipe or `vip`. */
type Programs = Map<Circle, number>;
/** The id of each collaborator, under the referral code. */
type Collaborators = Map<string, number>;

const REASONS = [
  'Ordered by the collaborator’s own company',
  'Our own test order',
  'No such address: the lead can’t be reached',
  'The code was published on a coupon site, against our terms',
];
/** A review rejects every conversion whose id is a multiple of this number. */
const REJECTED_EACH = 19;
/** How long customers can return an order, in milliseconds. Conversions are reviewed after this time. */
const RIPE_AFTER = 5 * DAY;
/** The minimum of a payout, in hundredths. Smaller amounts are carried forward to the next payout run. */
const MINIMUM = 2_500;

export type Merchant = {
  /** A client with the first secret key of the organization. */
  readonly whence: Whence;
  readonly url: string;
  readonly printed: Printed;
  readonly people: People;
};

/**
 * Returns all actions of the merchant's people, collaborators and applicants until the end of a time span, with their
 * times.
 */
export function merchantOf({ from, until }: Span, { whence, url, printed, people }: Merchant): Moment[] {
  const { asOwner, asManager } = people;
  const programs: Programs = new Map();
  const collaborators: Collaborators = new Map();
  const length = until - from;
  const [firstRun, secondRun] = [0.4, 0.74].map((part) => morningOf(from + part * length)) as [number, number];
  const lastRun = until - 22 * HOUR;
  const reviewed: Task = (now) => asManager(now, (manager) => review(manager, now));
  const completed: Task = (now) => asManager(now, completeRuns);
  const resolved: Task = (now) => asManager(now, resolve);
  const made =
    (...currencies: string[]): Task =>
    (now) =>
      asManager(now, (manager) => makeRuns(manager, currencies));
  const processed: Task = (now) => asManager(now, processRuns);
  const program = (circle: Circle): number => programOf(programs, circle);
  return [
    { at: from - 50 * MINUTE, what: () => openPrograms(whence, programs) },
    { at: from - 45 * MINUTE, what: () => openPortal(whence, program('ten-percent-affiliate')) },
    { at: from - 44 * MINUTE, what: () => addMaterials(whence) },
    ...CAST.map((player) => ({
      at: from - 40 * MINUTE + player.since * length,
      what: () => join(whence, player, program, collaborators),
    })),
    ...CAST.map((player, n) => ({
      at: from - 40 * MINUTE + player.since * length + (n + 1) * 20 * MINUTE,
      what: () => enterDetails(url, printed, player),
    })),
    { at: morningOf(from + 0.45 * length) + HOUR, what: () => raise(whence, program('ten-percent-affiliate')) },
    ...mondays(from, until).flatMap((at) => [
      { at, what: reviewed },
      { at: at + HOUR, what: resolved },
      { at: at + 2 * HOUR, what: completed },
    ]),
    ...[firstRun, secondRun].flatMap((at) => [
      { at: at - HOUR, what: reviewed },
      { at, what: made('USD', 'EUR') },
      { at: at + 2 * HOUR, what: processed },
      { at: at + DAY, what: completed },
      { at: at + 3 * DAY, what: resolved },
      { at: at + 3 * DAY + HOUR, what: completed },
    ]),
    { at: firstRun + 2 * DAY, what: () => takeBack(whence, 'paid', 1) },
    {
      at: secondRun + 5 * HOUR,
      what: (now: number) => asManager(now, (manager) => credit(manager, program, collaborators)),
    },
    { at: until - 30 * HOUR, what: (now: number) => asOwner(now, inviteViewer) },
    { at: until - 26 * HOUR, what: () => openWebhooks(whence) },
    { at: until - 25 * HOUR, what: () => openConnector(whence) },
    { at: lastRun - HOUR, what: reviewed },
    { at: lastRun, what: made('USD') },
    { at: lastRun + 3 * HOUR, what: processed },
    { at: lastRun + 9 * HOUR, what: () => takeBack(whence, 'unpaid', 2) },
    ...APPLICANTS.map((applicant) => ({
      at: until - applicant.hoursBefore * HOUR,
      what: () => apply(url, printed, program('ten-percent-affiliate'), applicant),
    })),
  ].filter(({ at }) => at < until);
}

/** Returns 9:30 UTC on the day of `at`, in milliseconds since 1970. */
function morningOf(at: number): number {
  return Math.floor(at / DAY) * DAY + 9.5 * HOUR;
}

/**
 * Returns 10:00 UTC on each Monday of the span, except Mondays in its last two or three days, so that some work remains
 * open.
 */
function mondays(from: number, until: number): number[] {
  const days = Array.from({ length: Math.max(0, Math.floor((until - from) / DAY) - 2) }, (_, day) => from + day * DAY);
  return days.filter((day) => new Date(day).getUTCDay() === 1).map((day) => day + 10 * HOUR);
}

/**
 * Creates the programs of the recipes. Only enrolled collaborators earn. Otherwise every program would pay for every
 * sale.
 */
async function openPrograms(whence: Whence, programs: Programs): Promise<void> {
  await whence.organization.update({ name: 'Teapot & Daughters' });
  await whence.payerAccount.update({ holder: 'Teapot & Daughters', iban: 'DE75512108001245126199' });
  for (const { slug } of RECIPES) {
    const { customEvents, programs: terms, group } = recipeOf(slug);
    for (const event of customEvents) await whence.customEvents.create(event);
    const ids: number[] = [];
    for (const each of terms) {
      const { id } = await whence.programs.create({ ...each, ...ADAPTED[slug], enrollment: 'selected' });
      ids.push(id);
    }
    if (group !== null) await whence.programGroups.create({ ...group, programIds: ids });
    const [first = 0, second = first] = ids;
    if (slug === 'tiered-with-vip-group') programs.set('vip', first).set(slug, second);
    else programs.set(slug, first);
  }
}

/** The terms of this shop's programs that differ from the recipes. */
const ADAPTED: Partial<Record<RecipeSlug, object>> = {
  'ten-percent-affiliate': { reward: { type: 'percent', percent: 8 }, approveAfterDays: 5 },
  'first-touch-referral': { approveAfterDays: 7 },
};

async function join(
  whence: Whence,
  player: Player,
  program: (circle: Circle) => number,
  collaborators: Collaborators,
): Promise<void> {
  const { name, code, coupon, userId, circle } = player;
  const { id } = await whence.collaborators.create({
    name,
    email: emailOf(player),
    aliases: [{ type: 'tracking', code }, ...(coupon === undefined ? [] : [{ type: 'coupon', code: coupon }])],
    ...(userId === undefined ? {} : { userId }),
  });
  collaborators.set(code, id);
  for (const joined of circle === 'vip' ? (['vip', 'tiered-with-vip-group'] as const) : [circle]) {
    await whence.programs.enrollCollaborator(program(joined), { collaboratorId: id });
  }
}

/** Raises the affiliates' reward, which creates a second version of the program. */
async function raise(whence: Whence, programId: number): Promise<void> {
  await whence.programs.update(programId, { reward: { type: 'percent', percent: 10 } });
}

/** Reviews pending conversions that are older than RIPE_AFTER. Rejects some of them, and approves the others. */
async function review(whence: Whence, now: number): Promise<void> {
  const pending = await whence.conversions.list({ status: 'pending', sort: 'id' }).toArray({ limit: 1_000 });
  const ripe = pending.filter(({ createdAt }) => Date.parse(createdAt) < now - RIPE_AFTER);
  const rejected = ripe.filter(({ id }) => id % REJECTED_EACH === 0);
  for (const [n, { id }] of rejected.entries()) {
    await whence.conversions.reject(id, { reason: REASONS[n % REASONS.length] as string });
  }
  const approved = ripe.filter((each) => !rejected.includes(each)).map(({ id }) => id);
  if (approved.length > 0) await whence.conversions.bulk({ action: 'approve', ids: approved });
}

/** Creates a connector that is not set up yet, so that its page shows the steps. */
async function openConnector(whence: Whence): Promise<void> {
  await whence.connectors.create({ kind: 'stripe', name: 'Stripe' });
}

/** Creates a webhook that works, and a webhook without a receiver. */
async function openWebhooks(whence: Whence): Promise<void> {
  await whence.webhooks.create({
    url: `http://127.0.0.1:${RECEIVER_PORT}/whence`,
    description: 'Accounting',
    events: ['conversion.approved', 'payout.created', 'payout.paid', 'payout.flagged'],
  });
  await whence.webhooks.create({
    url: `http://127.0.0.1:${CLOSED_PORT}/whence`,
    description: 'The old warehouse system',
    events: ['transaction.created', 'transaction.refunded'],
  });
}

async function makeRuns(whence: Whence, currencies: readonly string[]): Promise<void> {
  for (const currency of currencies) await whence.fulfillments.create({ currency, minimum: MINIMUM });
}

async function processRuns(whence: Whence): Promise<void> {
  for await (const { id } of whence.fulfillments.list({ status: 'pending' })) await whence.fulfillments.process(id);
}

async function completeRuns(whence: Whence): Promise<void> {
  for await (const { id } of whence.fulfillments.list({ status: 'processing' })) await whence.fulfillments.complete(id);
}

/** Refunds one order from each of the oldest payouts with the given status, for at most `many` payouts. */
async function takeBack(whence: Whence, status: 'paid' | 'unpaid', many: number): Promise<void> {
  const payouts = await whence.payouts.list({ status, sort: 'id' }).toArray({ limit: many });
  for (const payout of payouts) {
    const [obligation] = await whence.obligations.list({ payoutId: payout.id, sort: '-id' }).toArray({ limit: 1 });
    const conversion = obligation && (await conversionOf(whence, obligation.conversionId));
    if (conversion === undefined) continue;
    const { source, externalId } = await whence.transactions.get(conversion.transactionId);
    await whence.report.refund({ source, externalId });
  }
}

function conversionOf(whence: Whence, id: number | null): Promise<Conversion> | undefined {
  return id === null ? undefined : whence.conversions.get(id);
}

async function resolve(whence: Whence): Promise<void> {
  const note = 'Refunded after the payout: deducted from the next payout';
  for await (const { id } of whence.payouts.list({ review: 'flagged' })) {
    await whence.payouts.review(id, { resolution: 'claw-back', note });
  }
}

/** Credits a collaborator with the newest order in USD that earned nobody a commission and was not refunded. */
async function credit(
  whence: Whence,
  program: (circle: Circle) => number,
  collaborators: Collaborators,
): Promise<void> {
  const sales = whence.transactions.list({ type: 'sale', currency: 'USD', sort: '-id' });
  for await (const { id, status } of sales) {
    const { data: earned } = await whence.conversions.list({ transactionId: id, perPage: 1 }).page();
    if (earned.length > 0 || status === 'refunded') continue;
    await whence.transactions.credit(id, {
      collaboratorId: collaborators.get('harbor') as number,
      programId: program('tiered-with-vip-group'),
      amount: 750,
      note: 'The customer named the café on the phone',
    });
    return;
  }
}

function programOf(programs: Programs, circle: Circle): number {
  const id = programs.get(circle);
  if (id === undefined) throw new Error(`There is no program for ${circle}.`);
  return id;
}
