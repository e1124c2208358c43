/*
 * What other systems are told. A type names a noun and what happened to it: that it was created, that it came into a
 * state, or (`updated`) that anything of it has changed. What is born in a state tells that too, after `created`.
 */

export const NEWS_TYPES = [
  'opportunity.created',
  'opportunity.merged',
  'engagement.created',
  'transaction.created',
  'transaction.refunded',
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
  'payout.flagged',
  'payout.resolved',
  'collaborator.created',
  'collaborator.updated',
  'program.created',
  'program.updated',
  'webhook.paused',
] as const;
export type NewsType = (typeof NEWS_TYPES)[number];

/** What a message says: news, or what a person sends to try a webhook out. */
export const MESSAGE_TYPES = [...NEWS_TYPES, 'webhook.test'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

type NounIn<Type extends string> = Type extends `${infer Noun}.${string}` ? Noun : never;
export type NewsNoun = NounIn<NewsType>;

/** Which kind of resource a type tells of. */
export function nounOf(type: NewsType): NewsNoun {
  return type.slice(0, type.indexOf('.')) as NewsNoun;
}

export const WEBHOOK_STATUSES = ['active', 'paused', 'deleted'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** Why a webhook is paused: a person did it, it has failed for too long, or its receiver said that it is gone (410). */
export const PAUSE_REASONS = ['by-hand', 'failing', 'gone'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

type Leading = { readonly url: string; readonly status: WebhookStatus };

/** Whether what waits goes out now, and not when its gap is over: the webhook is active again, or leads elsewhere. */
export function hastens(before: Leading, after: Leading): boolean {
  return after.status === 'active' && (before.status !== 'active' || before.url !== after.url);
}

/** How many webhooks an organization has at most, those that are deleted aside: each gets a delivery of every message. */
export const MAX_WEBHOOKS = 20;

/** Stands for every type, also those that are added later. */
export const ALL_NEWS = '*';

/** The types that a choice names: null for all. */
export function chosenNews(choice: readonly (NewsType | typeof ALL_NEWS)[]): readonly NewsType[] | null {
  const types = choice.filter((each) => each !== ALL_NEWS);
  return types.length < choice.length ? null : types;
}

/** The inverse of `chosenNews`. */
export function shownNews(types: readonly NewsType[] | null): readonly (NewsType | typeof ALL_NEWS)[] {
  return types ?? [ALL_NEWS];
}

export const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';

/** The text of a secret as Standard Webhooks writes it; `random` has SECRET_BYTES. */
export function signingSecretOf(random: Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(random).toString('base64');
}
