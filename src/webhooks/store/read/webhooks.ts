import type { WebhookId } from '#core/ids.ts';
import {
  type ALL_TYPES,
  type SubscribableType,
  type PauseReason,
  shownTypes,
  type WebhookStatus,
} from '../../domain/webhook.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type WebhookResource = {
  readonly id: WebhookId;
  readonly url: string;
  /** The same URL, under the name that other implementations of this API use. */
  readonly targetUrl: string;
  readonly description: string | null;
  readonly events: readonly (SubscribableType | typeof ALL_TYPES)[];
  readonly status: WebhookStatus;
  readonly pausedReason: PauseReason | null;
  readonly pausedAt: Date | null;
  /** The time of the first failure since the last success, or since a later change of the URL or status. */
  readonly failingSince: Date | null;
  /** The time until which the previous secret also signs. */
  readonly previousSecretUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type Row = Omit<WebhookResource, 'events'> & { readonly events: readonly SubscribableType[] | null };

export const webhooks: Relation<Row, WebhookResource> = {
  query: `
    select organization_id, id, url, url as "targetUrl", description, events, status, paused_reason as "pausedReason",
      paused_at as "pausedAt", failing_since as "failingSince",
      case when previous_until > now() then previous_until end as "previousSecretUntil",
      created_at as "createdAt", updated_at as "updatedAt"
    from webhooks`,
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  hidden: 'deleted',
  read: ({ events, ...row }) => ({ ...row, events: shownTypes(events) }),
};
