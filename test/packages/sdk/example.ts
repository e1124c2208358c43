import type { CreatePortalPasskeyBody, OpenPortalSessionByPasskeyBody, Whence } from '#sdk/whence.ts';

/** An authenticator. It creates the same responses as `@simplewebauthn/browser` in a page. */
export type Authenticator = {
  readonly create: (options: object) => CreatePortalPasskeyBody['response'];
  readonly get: (options: object) => OpenPortalSessionByPasskeyBody['response'];
};

/**
 * The resources that an example can use, by name. Only the resources that an example destructures are created. Each
 * example has a separate organization, so it can choose any names.
 */
export type World = {
  readonly whence: Whence;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The id of Ada, a collaborator with the link `?ref=ada` and the coupon ADA10. */
  readonly collaboratorId: number;
  readonly aliasId: number;
  /** The id of a program that pays every collaborator 10%. Its conversions are approved manually. */
  readonly programId: number;
  /** The id of a program for selected collaborators, including Ada. */
  readonly selectProgramId: number;
  /** The id of a backtest that decides `order-1001` with 12% instead of 10%. */
  readonly backtestId: number;
  /** The id of a backtest that no worker can run until it is canceled. */
  readonly queuedBacktestId: number;
  readonly programGroupId: number;
  readonly customEventId: number;
  readonly fraudListEntryId: number;
  readonly apiKeyId: number;
  readonly auditEntryId: number;
  readonly webhookId: number;
  readonly deliveryId: number;
  readonly connectorId: number;
  /** The id of a refund event from Stripe that waits for its order. */
  readonly connectorEventId: number;
  /** An export of payments from Stripe, as CSV text. */
  readonly paymentsList: string;
  readonly signingSecret: string;
  /** A signed webhook request with the event `conversion.approved`. */
  readonly delivery: Request;
  /** The number of the opportunity of a visitor whom Ada referred. */
  readonly opportunity: number;
  readonly engagementId: number;
  /** The id of the decided sale `order-1001` of the source `shop`, with a total of 50.00 USD. */
  readonly transactionId: number;
  readonly conversionId: number;
  readonly obligationId: number;
  readonly eventId: number;
  /** The id of a dead-lettered event. */
  readonly deadLetteredEventId: number;
  /** The id of a new payout run that contains Ada's payout. */
  readonly fulfillmentId: number;
  /** The id of a new payout run with a payout to Ada’s PayPal account. */
  readonly payableFulfillmentId: number;
  readonly payoutId: number;
  readonly paidPayoutId: number;
  readonly processingFulfillmentId: number;
  /** The id of a payout whose sale was refunded after the payout run. */
  readonly flaggedPayoutId: number;
  /** The slug of an open portal. */
  readonly slug: string;
  readonly unusedSlug: string;
  /** The token after the `#` of a login link that was just emailed to Ada. */
  readonly entryToken: string;
  /** The client of a portal page where Ada is logged in: `new Whence({ baseUrl, session: true })`. */
  readonly asCollaborator: Whence;
  /** An authenticator without passkeys. */
  readonly authenticator: Authenticator;
  /** An authenticator that has a passkey of Ada. */
  readonly adasAuthenticator: Authenticator;
  readonly portalPasskeyId: number;
  /** An unused email address. */
  readonly newEmail: string;
  /** The token after the `#` of an invitation link that was just emailed. */
  readonly invitationToken: string;
  /** The password of every person in the examples. */
  readonly password: string;
  readonly newPassword: string;
  /** The client of a console page without a session: `new Whence({ baseUrl, session: true })`. */
  readonly page: Whence;
  /** The client of a console page where Grace is logged in. She is not the organization's only owner. */
  readonly asPerson: Whence;
  readonly email: string;
  readonly personId: number;
  readonly resetToken: string;
  /** Returns the current code that an authenticator app shows for a secret. */
  readonly codeOf: (secret: string) => Promise<string>;
  /** An authenticator that has a passkey of Grace. */
  readonly personsAuthenticator: Authenticator;
  readonly passkeyId: number;
  readonly today: string;
  readonly tomorrow: string;
};

export type Example = (world: World) => Promise<void>;
export type Examples = Readonly<Record<string, Example>>;
