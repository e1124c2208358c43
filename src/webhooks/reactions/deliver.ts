import { type Aftermath, judgeAttempt, payloadText } from '../domain/delivery.ts';
import type { OrganizationId, WebhookId } from '#core/ids.ts';
import { type Database, inTransaction, retryStatement } from '#platform/postgres/database.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { claimDeliveries, type ClaimedDelivery, saveAttempt } from '../store/webhook-deliveries.ts';
import { announceOutbox, type Announced } from './announce.ts';
import type { Answer, Send } from './send.ts';
import { signedHeaders } from './sign.ts';

export type Deliveries = {
  /** Signals that there may be messages to send. Never waits. */
  readonly wake: () => void;
  /** Resolves once all due deliveries have been sent and no request is in progress. */
  readonly idle: () => Promise<void>;
  /** Finishes the requests in progress and stops. */
  readonly stop: () => Promise<void>;
};

export type DeliveryOptions = {
  readonly secrets: SecretBox;
  readonly send: Send;
  readonly headerPrefixes: readonly string[];
  readonly onAttempt?: (outcome: Aftermath['delivery']['kind'], durationMs: number) => void;
  readonly onPaused?: (organizationId: OrganizationId, webhookId: WebhookId, reason: 'gone' | 'failing') => void;
  readonly onFailure?: (error: unknown) => void;
};

/**
 * The maximum number of new outbox rows, over all organizations, that the first transaction turns into messages. The
 * limit doubles after each transaction of up to LONG_BATCH_MS, at most to OUTBOX_BATCH. It is halved after a longer
 * transaction, and quartered after a failure. Sales can have a thousand lines, and 500 such sales took 39 s and 1.9 GB
 * in one transaction.
 */
const FIRST_OUTBOX_BATCH = 25;
const OUTBOX_BATCH = 200;
const LONG_BATCH_MS = 500;
/** The maximum number of concurrent deliveries of this process, over all webhooks. */
export const MAX_TOTAL_IN_FLIGHT = 512;
/** The maximum number of concurrent deliveries of this process to one webhook. */
export const MAX_IN_FLIGHT = 8;
/**
 * The number of concurrent deliveries that are reserved for webhooks without a delivery in progress. A few webhooks
 * that become unresponsive together can't use them up.
 */
const RESERVED = 128;
/** The response time above which a response counts as slow, in milliseconds. */
export const SLOW_MS = 2_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/**
 * Starts sending webhook messages: turns outbox rows into messages and sends due deliveries. No transaction is open
 * while a request is sent. If the process is killed, another process sends its deliveries again when their lease ends.
 * Any number of processes can share a database. After `wake`, the process sends until no delivery is due.
 */
export function startDeliveries(database: Database, options: DeliveryOptions): Deliveries {
  const underWay = new Map<number, { readonly webhookId: WebhookId; readonly done: Promise<void> }>();
  const slow = new Set<WebhookId>();
  let stopping = false;
  let awake = true;
  let resume: (() => void) | undefined;
  let idleWaiters: (() => void)[] = [];
  let outboxLimit = FIRST_OUTBOX_BATCH;

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

  /**
   * Claims due deliveries, starts to send them, and creates messages for outbox rows. Returns whether any row was
   * processed.
   */
  async function takeTurn(): Promise<boolean> {
    const places = MAX_TOTAL_IN_FLIGHT - underWay.size;
    const room = places > RESERVED ? { limit: places - RESERVED, each: MAX_IN_FLIGHT } : { limit: places, each: 1 };
    const claimed = places > 0 ? await claimDeliveries(database, room, deliveriesInHand()) : [];
    for (const delivery of claimed) {
      underWay.set(delivery.id, { webhookId: delivery.webhookId, done: finish(delivery) });
    }
    // Due deliveries are claimed first, because they don't depend on new messages.
    const announced = await announceRows();
    return announced > 0 || claimed.length > 0;
  }

  /**
   * Creates messages, and returns the number of claimed outbox rows. A batch that is too large for the database is
   * retried with fewer rows.
   */
  async function announceRows(): Promise<number> {
    const started = performance.now();
    try {
      const { taken, stuck } = await inTransaction(database, (connection) => announceOutbox(connection, outboxLimit));
      const isLong = performance.now() - started > LONG_BATCH_MS;
      outboxLimit = isLong ? Math.max(1, outboxLimit >> 1) : Math.min(outboxLimit * 2, OUTBOX_BATCH);
      if (stuck.length > 0) options.onFailure?.(failedRowsError(stuck));
      return taken;
    } catch (error) {
      outboxLimit = Math.max(1, outboxLimit >> 2);
      throw error;
    }
  }

  function deliveriesInHand(): Parameters<typeof claimDeliveries>[2] {
    const counts = new Map<WebhookId, number>([...slow].map((id) => [id, 0]));
    for (const { webhookId } of underWay.values()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    return {
      deliveries: [...underWay.keys()],
      webhooks: [...counts].map(([id, inFlight]) => ({ id, inFlight, slow: slow.has(id) })),
    };
  }

  /**
   * Sends a delivery and records its result. Never throws. If the result can't be recorded, the delivery is sent again
   * when the lease ends.
   */
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
    const { paused } = await retryStatement(() =>
      saveAttempt(database, delivery, { ...answer, durationMs }, aftermath),
    );
    options.onAttempt?.(aftermath.delivery.kind, durationMs);
    if (paused && aftermath.pause !== null) {
      options.onPaused?.(delivery.organizationId, delivery.webhookId, aftermath.pause);
    }
  }

  async function attempt(delivery: ClaimedDelivery, now: Date): Promise<Answer> {
    const body = payloadText(delivery);
    const secrets = openSecrets(delivery);
    // If the secrets can't be decrypted, the delivery is retried on schedule, possibly by a process with the right key.
    if (secrets === undefined) return { statusCode: null, error: CLOSED_SECRET, retryAfter: null, response: null };
    const headers = signedHeaders(options.headerPrefixes, {
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

  /** Waits until woken, for at most `milliseconds`. Waits without a limit if `milliseconds` is undefined. */
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

/** Returns a single error for a whole batch, so that many failed rows don't flood the log. */
function failedRowsError(stuck: Announced['stuck']): Error {
  const [{ row, error }] = stuck as [Announced['stuck'][0]];
  return new Error(
    `${stuck.length} outbox rows can’t become messages, for example ${row.type} of ${row.resourceId} in organization ` +
      `${row.organizationId}. They were set aside (webhook_outbox_stuck), and are retried later.`,
    { cause: error },
  );
}

const USER_AGENT = 'Whence';
const CLOSED_SECRET =
  'not sent: this process doesn’t have the WHENCE_ENCRYPTION_KEY that encrypted the signing secret. Set that key, or rotate the secret';
