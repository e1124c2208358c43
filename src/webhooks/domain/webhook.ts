/*
 * The built-in types of messages. A type consists of a resource and its change: it was created, it reached a state, or
 * (`updated`) any of its fields changed. If a resource is created in a reportable state, the message for that state is
 * sent as well, after `created`.
 */

export const OWN_TYPES = [
  'opportunity.created',
  'opportunity.merged',
  'engagement.created',
  'transaction.created',
  'transaction.refunded',
  'transaction.restored',
  'transaction.corrected',
  'conversion.created',
  'conversion.approved',
  'conversion.rejected',
  'obligation.created',
  'obligation.pending',
  'obligation.fulfilled',
  'obligation.rejected',
  'fulfillment.created',
  'fulfillment.updated',
  'payout.created',
  'payout.paid',
  'payout.void',
  'payout.flagged',
  'payout.resolved',
  'collaborator.created',
  'collaborator.updated',
  'program.created',
  'program.updated',
  'webhook.paused',
] as const;
type OwnType = (typeof OWN_TYPES)[number];

type NounIn<Type extends string> = Type extends `${infer Noun}.${string}` ? Noun : never;
export type ResourceNoun = NounIn<OwnType> | 'event';

/**
 * Type names of other implementations of this API, each with the kind of resource in its messages. A webhook gets these
 * messages only if it lists the name, because `*` means the built-in types.
 */
const NAMED_NOUNS = {
  'sale.created': 'transaction',
  'refund.created': 'transaction',
  'lead.created': 'transaction',
  'renewal.created': 'transaction',
  'coupon.applied': 'event',
  'engagement.awarded': 'engagement',
  'engagement.completed': 'engagement',
  'conversion.renewed': 'conversion',
  'transaction.completed': 'transaction',
  'opportunity.invalidated': 'opportunity',
  'collaborator.registered': 'collaborator',
  'obligation.completed': 'obligation',
} as const satisfies Record<string, ResourceNoun>;
type ForeignName = keyof typeof NAMED_NOUNS;
export const FOREIGN_NAMES = Object.keys(NAMED_NOUNS) as readonly ForeignName[];

export type SubscribableType = OwnType | ForeignName;
export const SUBSCRIBABLE_TYPES: readonly SubscribableType[] = [...OWN_TYPES, ...FOREIGN_NAMES];

/** The type of a message: a subscribed type, or a test message. */
export type MessageType = SubscribableType | 'webhook.test';
export const MESSAGE_TYPES: readonly MessageType[] = [...SUBSCRIBABLE_TYPES, 'webhook.test'];

/** Returns the kind of resource in messages of a type. */
export function nounOf(type: SubscribableType): ResourceNoun {
  return isForeignName(type) ? NAMED_NOUNS[type] : (type.slice(0, type.indexOf('.')) as ResourceNoun);
}

/** Returns whether only webhooks that list the given type get its messages. */
export function isForeignName(type: MessageType): type is ForeignName {
  return Object.hasOwn(NAMED_NOUNS, type);
}

export const WEBHOOK_STATUSES = ['active', 'paused', 'deleted'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/**
 * The reasons for a pause: a person paused the webhook, it has failed for too long, or its receiver returned 410
 * (gone).
 */
export const PAUSE_REASONS = ['by-hand', 'failing', 'gone'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

type WebhookTarget = { readonly url: string; readonly status: WebhookStatus };

/**
 * Returns whether a change of a webhook makes its pending deliveries due immediately instead of after their retry gap.
 * This is the case if the webhook becomes active again, or if it is active and gets another URL.
 */
export function makesDeliveriesDue(before: WebhookTarget, after: WebhookTarget): boolean {
  return after.status === 'active' && (before.status !== 'active' || before.url !== after.url);
}

/**
 * The maximum number of webhooks of an organization, not counting deleted webhooks. A message can cause one delivery to
 * each of them.
 */
export const MAX_WEBHOOKS = 20;

/** The choice of every built-in type, including types that are added later. */
export const ALL_TYPES = '*';

/** Returns the message types that a webhook with the given choice receives. Null means all built-in types. */
export function chosenTypes(
  choice: readonly (SubscribableType | typeof ALL_TYPES)[],
): readonly SubscribableType[] | null {
  const types = choice.filter((each) => each !== ALL_TYPES);
  return types.length < choice.length ? null : types;
}

/** Returns the choice for stored types, as the inverse of `chosenTypes`. */
export function shownTypes(
  types: readonly SubscribableType[] | null,
): readonly (SubscribableType | typeof ALL_TYPES)[] {
  return types ?? [ALL_TYPES];
}

export const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';

/** Returns a secret in the text form of Standard Webhooks. `random` has SECRET_BYTES bytes. */
export function signingSecretOf(random: Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(random).toString('base64');
}
