/** The brand of id types, which prevents using one resource's id for another. Ids are integers of at most 2^53−1. */
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
export type BacktestId = Id<'backtest'>;
export type MaterialId = Id<'material'>;
export type FraudListEntryId = Id<'fraud-list-entry'>;
export type OpportunityId = Id<'opportunity'>;
export type AnnouncementId = Id<'announcement'>;
/** The id of one erasure of a person's data. */
export type ErasureId = Id<'erasure'>;
export type EngagementId = Id<'engagement'>;
export type TransactionId = Id<'transaction'>;
export type ConversionId = Id<'conversion'>;
export type ObligationId = Id<'obligation'>;
export type FulfillmentId = Id<'fulfillment'>;
export type PayoutId = Id<'payout'>;
export type FlagId = Id<'payout-flag'>;
export type LedgerEntryId = Id<'ledger-entry'>;
/** The id of a connector. The id is random, because it is part of the URL to which the sender posts its events. */
export type ConnectorId = Id<'connector'>;
export type ConnectorEventId = Id<'connector-event'>;
export type WebhookId = Id<'webhook'>;
export type DeliveryId = Id<'delivery'>;
/**
 * The id of a message and of its outbox row. If two messages are about the same resource, the later message has the
 * higher id.
 */
export type MessageId = Id<'message'>;
/**
 * The id of a reported event, such as a visit, a sale or a refund. All kinds share one sequence. For one opportunity,
 * events with higher ids were committed later.
 */
export type EventId = Id<'event'>;
/**
 * A number in the decision sequence, which is the sequence of event ids. It is drawn while the affected rows are
 * locked, so these numbers order decisions, rejections, closings and reopenings. With these numbers, the state that a
 * decision used can be reconstructed at any later time.
 */
export type Seq = Id<'decision sequence'>;
/**
 * A user id as stored: the user's integer id in the merchant's platform, or a negative number for a text id or an
 * erased user (see core/user.ts).
 */
export type UserId = Id<'user'>;
/** The number of changes to the organization's attribution configuration. */
export type ConfigVersion = Id<'config-version'>;

export const MAX_ID = Number.MAX_SAFE_INTEGER;
