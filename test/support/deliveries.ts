import { randomBytes } from 'node:crypto';
import { ENCRYPTION_KEY } from '#test/support/encryption-key.ts';
import { createDatabase } from '#test/support/database.ts';
import type { DeliveryId, OrganizationId, WebhookId } from '#core/ids.ts';
import { SECRET_BYTES, signingSecretOf } from '#webhooks/domain/webhook.ts';
import { foundOrganization } from '#access/commands/found-organization.ts';
import { type Database, inTransaction, openDatabase } from '#platform/postgres/database.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { insertTest, insertWebhook } from '#webhooks/store/webhooks.ts';
import { type Deliveries, type DeliveryOptions, startDeliveries } from '#webhooks/reactions/deliver.ts';
import { sender, type SenderOptions } from '#webhooks/reactions/send.ts';

export type Delivery = {
  readonly id: DeliveryId;
  readonly status: string;
  readonly attempts: number;
  readonly tries: number;
  /** The number of seconds until the next attempt, or null if no attempt is planned. */
  readonly dueInSeconds: number | null;
};

export const SECRETS = secretBox(Buffer.from(ENCRYPTION_KEY, 'hex'));

/** A database with one organization, and webhook senders that a test configures. */
export type Postroom = {
  readonly url: string;
  readonly database: Database;
  readonly organizationId: OrganizationId;
  /** Adds a webhook for the given URL and returns its id and secret. */
  readonly webhook: (url: string) => Promise<{ id: WebhookId; secret: string }>;
  /** Queues a delivery for a webhook and returns its id. */
  readonly post: (webhookId: WebhookId, data?: string) => Promise<DeliveryId>;
  /** Starts sending deliveries. `end` stops all senders. */
  readonly start: (options?: Partial<SenderOptions & DeliveryOptions>) => Deliveries;
  readonly delivery: (id: DeliveryId) => Promise<Delivery>;
  /** Makes all pending deliveries due now. */
  readonly hasten: () => Promise<void>;
  readonly end: () => Promise<void>;
};

export async function openPostroom(): Promise<Postroom> {
  const { url, drop } = await createDatabase();
  const database = openDatabase(url, { connections: 4, steadyPlans: true });
  const { organizationId } = await foundOrganization(database, 'Post');
  const started: Deliveries[] = [];
  return {
    url,
    database,
    organizationId,
    webhook: async (receiver) => {
      const secret = signingSecretOf(randomBytes(SECRET_BYTES));
      const id = await inTransaction(database, (connection) =>
        insertWebhook(
          { connection, organizationId },
          { url: receiver, description: null, events: null },
          SECRETS.seal(secret),
        ),
      );
      return { id, secret };
    },
    post: (webhookId, data = '{"id":1}') =>
      inTransaction(database, (connection) => insertTest({ connection, organizationId }, webhookId, data)),
    start: ({ resolve = () => Promise.resolve([]), privateAllowed = true, totalMs, bodyMs, ...options } = {}) => {
      const times = { ...(totalMs === undefined ? {} : { totalMs }), ...(bodyMs === undefined ? {} : { bodyMs }) };
      const deliveries = startDeliveries(database, {
        secrets: SECRETS,
        send: sender({ resolve, privateAllowed, ...times }),
        headerPrefixes: ['X-Service'],
        ...options,
      });
      started.push(deliveries);
      return deliveries;
    },
    delivery: async (id) => {
      const { rows } = await database.query<Delivery>(
        `select id, status, attempts, tries, extract(epoch from due_at - now())::float8 as "dueInSeconds"
         from webhook_deliveries where organization_id = $1 and id = $2`,
        [organizationId, id],
      );
      return rows[0] as Delivery;
    },
    hasten: async () => {
      await database.query(`update webhook_deliveries set due_at = now() where status = 'pending'`);
    },
    end: async () => {
      for (const deliveries of started) await deliveries.stop();
      await database.end();
      await drop();
    },
  };
}
