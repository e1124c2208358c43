/** Ids are integers of at most 2^53−1; the brand keeps one noun's id from standing in for another's. */
declare const brand: unique symbol;
type Id<Noun extends string> = number & { readonly [brand]: Noun };

export type OrganizationId = Id<'organization'>;
export type ApiKeyId = Id<'api-key'>;
export type PersonId = Id<'person'>;
export type SessionId = Id<'session'>;
export type InvitationId = Id<'invitation'>;
export type PasskeyId = Id<'passkey'>;
export type CollaboratorId = Id<'collaborator'>;
export type AliasId = Id<'alias'>;
export type ProgramId = Id<'program'>;
export type ProgramGroupId = Id<'program-group'>;
export type CustomEventId = Id<'custom-event'>;
export type OpportunityId = Id<'opportunity'>;
/** Of one time that something of a person was taken away. */
export type ErasureId = Id<'erasure'>;
export type EngagementId = Id<'engagement'>;
export type TransactionId = Id<'transaction'>;
export type ConversionId = Id<'conversion'>;
export type ObligationId = Id<'obligation'>;
export type FulfillmentId = Id<'fulfillment'>;
export type PayoutId = Id<'payout'>;
export type LedgerEntryId = Id<'ledger-entry'>;
export type WebhookId = Id<'webhook'>;
export type DeliveryId = Id<'delivery'>;
/** Of a message and of the news that it was made from: of one resource, a higher one is later. */
export type MessageId = Id<'message'>;
/** From one sequence for visits, sales and refunds: of one opportunity, a higher id was committed later. */
export type EventId = Id<'event'>;
/**
 * A number from the events' sequence, drawn under the locks of what it stands for: decisions, rejections, closings and
 * reopenings come in the order of their ticks, so what a decision saw can be told at any time after.
 */
export type Tick = Id<'tick'>;
/** A user's number in the merchant's platform. */
export type UserId = Id<'user'>;
/** The organization's count of changes to what decides. */
export type ConfigVersion = Id<'config-version'>;

export const MAX_ID = Number.MAX_SAFE_INTEGER;
