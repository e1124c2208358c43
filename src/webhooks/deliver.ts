import { type Aftermath, judgeAttempt, payloadText } from '#domain/delivery.ts';
import type { OrganizationId, WebhookId } from '#domain/ids.ts';
import { type Database, inTransaction, retried } from '#store/database.ts';
import type { SecretBox } from '#store/secret-box.ts';
import { claimDeliveries, type ClaimedDelivery, saveAttempt } from '#store/webhook-deliveries.ts';
import { announceNews, type Telling } from './announce.ts';
import type { Answer, Send } from './send.ts';
import { signedHeaders } from './sign.ts';

export type Deliveries = {
  /** Says that there may be something to tell; never waits. */
  readonly wake: () => void;
  /** Resolves once everything that is due has been sent, and nothing is under way. */
  readonly idle: () => Promise<void>;
  /** Finishes what is under way and ends. */
  readonly stop: () => Promise<void>;
};

export type DeliveryOptions = {
  readonly secrets: SecretBox;
  readonly send: Send;
  readonly headerPrefix: string;
  readonly onAttempt?: (outcome: Aftermath['delivery']['kind'], durationMs: number) => void;
  readonly onPaused?: (organizationId: OrganizationId, webhookId: WebhookId, reason: 'gone' | 'failing') => void;
  readonly onFailure?: (error: unknown) => void;
};

/**
 * News that one transaction makes messages of, of all organizations together: few after a start, twice as many each time,
 * half as many after one that took too long. Sales may have a thousand lines: 500 of those took 39 s and 1.9 GB at once.
 */
const FIRST_NEWS_BATCH = 25;
const NEWS_BATCH = 200;
const LONG_BATCH_MS = 500;
/** Deliveries under way at the same time, of all webhooks, and of one. */
export const MAX_TOTAL_IN_FLIGHT = 512;
export const MAX_IN_FLIGHT = 8;
/** So many of them are for webhooks that have none under way: others that all fall silent at once can't take these. */
const RESERVED = 128;
/** An answer that took longer is slow. */
export const SLOW_MS = 2_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/**
 * Tells webhooks what has happened: makes news into messages, and sends what is due. No transaction is open while
 * something is sent, and what a process that was killed had in hand is sent again by another when its lease ends. Any
 * number of processes may share a database. It works when it is woken, until nothing is left that is due.
 */
export function startDeliveries(database: Database, options: DeliveryOptions): Deliveries {
  const underWay = new Map<number, { readonly webhookId: WebhookId; readonly done: Promise<void> }>();
  const slow = new Set<WebhookId>();
  let stopping = false;
  let awake = true;
  let resume: (() => void) | undefined;
  let idleWaiters: (() => void)[] = [];
  let newsLimit = FIRST_NEWS_BATCH;

  const loop = run();
  return {
    wake,
    idle: () =>
      new Promise((resolve) => {
        idleWaiters.push(resolve);
        wake();
      }),
    stop: async () => {
      stopping = true;
      wake();
      await loop;
    },
  };

  function wake(): void {
    awake = true;
    resume?.();
  }

  async function run(): Promise<void> {
    while (!stopping) {
      let pause: number | undefined;
      awake = false;
      const waiters = idleWaiters;
      idleWaiters = [];
      try {
        if (await takeTurn()) awake = true;
        else if (underWay.size === 0) for (const resolve of waiters.splice(0)) resolve();
      } catch (error) {
        options.onFailure?.(error);
        awake = false;
        pause = PAUSE_AFTER_FAILURE_MS;
      }
      idleWaiters.push(...waiters);
      if (!awake && !stopping) await sleep(pause);
    }
    await Promise.all([...underWay.values()].map(({ done }) => done));
    for (const resolve of idleWaiters) resolve();
  }

  /** Answers whether there was anything to do. */
  async function takeTurn(): Promise<boolean> {
    const places = MAX_TOTAL_IN_FLIGHT - underWay.size;
    const room = places > RESERVED ? { limit: places - RESERVED, each: MAX_IN_FLIGHT } : { limit: places, each: 1 };
    const claimed = places > 0 ? await claimDeliveries(database, room, inHand()) : [];
    for (const delivery of claimed) {
      underWay.set(delivery.id, { webhookId: delivery.webhookId, done: finish(delivery) });
    }
    // After what is due, which needs none of it.
    const told = await tellNews();
    return told > 0 || claimed.length > 0;
  }

  /** Answers how many news were taken. A batch that is too much for the database is tried with fewer. */
  async function tellNews(): Promise<number> {
    const started = performance.now();
    try {
      const { taken, stuck } = await inTransaction(database, (connection) => announceNews(connection, newsLimit));
      const isLong = performance.now() - started > LONG_BATCH_MS;
      newsLimit = isLong ? Math.max(1, newsLimit >> 1) : Math.min(newsLimit * 2, NEWS_BATCH);
      if (stuck.length > 0) options.onFailure?.(untoldError(stuck));
      return taken;
    } catch (error) {
      newsLimit = Math.max(1, newsLimit >> 2);
      throw error;
    }
  }

  function inHand(): Parameters<typeof claimDeliveries>[2] {
    const counts = new Map<WebhookId, number>([...slow].map((id) => [id, 0]));
    for (const { webhookId } of underWay.values()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    return {
      deliveries: [...underWay.keys()],
      webhooks: [...counts].map(([id, inFlight]) => ({ id, inFlight, slow: slow.has(id) })),
    };
  }

  /** Never fails: what could not be written down is delivered again when the lease ends. */
  async function finish(delivery: ClaimedDelivery): Promise<void> {
    try {
      await deliver(delivery);
    } catch (error) {
      options.onFailure?.(error);
    }
    underWay.delete(delivery.id);
    wake();
  }

  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const started = performance.now();
    const answer = await attempt(delivery, new Date());
    const durationMs = Math.round(performance.now() - started);
    if (durationMs > SLOW_MS) slow.add(delivery.webhookId);
    else slow.delete(delivery.webhookId);
    const aftermath = judgeAttempt(answer, delivery, Math.random());
    const { paused } = await retried(() => saveAttempt(database, delivery, { ...answer, durationMs }, aftermath));
    options.onAttempt?.(aftermath.delivery.kind, durationMs);
    if (paused && aftermath.pause !== null) {
      options.onPaused?.(delivery.organizationId, delivery.webhookId, aftermath.pause);
    }
  }

  async function attempt(delivery: ClaimedDelivery, now: Date): Promise<Answer> {
    const body = payloadText(delivery);
    const secrets = openSecrets(delivery);
    // It is tried again by the schedule, perhaps by a process that has the right key.
    if (secrets === undefined) return { statusCode: null, error: CLOSED_SECRET, retryAfter: null, response: null };
    const headers = signedHeaders(options.headerPrefix, {
      deliveryId: delivery.id,
      type: delivery.type,
      sequence: delivery.messageId,
      timestamp: Math.floor(now.getTime() / 1000),
      body,
      secrets,
    });
    return options.send(delivery.url, { ...headers, 'user-agent': USER_AGENT }, body);
  }

  function openSecrets({ secrets }: ClaimedDelivery): readonly string[] | undefined {
    try {
      return secrets.map((secret) => options.secrets.open(secret));
    } catch (error) {
      options.onFailure?.(error);
      return undefined;
    }
  }

  /** Until it is woken, or at most so long. */
  function sleep(milliseconds: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = milliseconds === undefined ? undefined : setTimeout(wakeUp, milliseconds);
      resume = wakeUp;
      function wakeUp(): void {
        clearTimeout(timer);
        resume = undefined;
        resolve();
      }
    });
  }
}

/** One for all of a batch, so that a fault that many share doesn't flood the log. */
function untoldError(stuck: Telling['stuck']): Error {
  const [{ news, error }] = stuck as [Telling['stuck'][0]];
  return new Error(
    `${stuck.length} news can’t be told and are set aside (webhook_news_stuck), such as ${news.type} of ${news.resourceId} ` +
      `in organization ${news.organizationId}: they are tried again later`,
    { cause: error },
  );
}

const USER_AGENT = 'Whence';
const CLOSED_SECRET =
  'not sent: this process has not the WHENCE_ENCRYPTION_KEY that the signing secret was sealed with';
