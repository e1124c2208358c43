import type { CreatePortalPasskeyBody, OpenPortalSessionByPasskeyBody, Whence } from '#sdk/whence.ts';

/** What `@simplewebauthn/browser` is in a page. */
export type Authenticator = {
  readonly create: (options: object) => CreatePortalPasskeyBody['response'];
  readonly get: (options: object) => OpenPortalSessionByPasskeyBody['response'];
};

/**
 * What an example can take as given, by name: an example destructures what it needs, and only that is made. Each example
 * has an organization of its own, so its names are free.
 */
export type World = {
  readonly whence: Whence;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Ada, with the link `?ref=ada` and the coupon ADA10. */
  readonly collaboratorId: number;
  readonly aliasId: number;
  /** Ten percent for everyone; conversions are approved by hand. */
  readonly programId: number;
  /** One for selected collaborators, Ada among them. */
  readonly selectProgramId: number;
  readonly programGroupId: number;
  readonly customEventId: number;
  readonly apiKeyId: number;
  readonly auditEntryId: number;
  readonly webhookId: number;
  readonly deliveryId: number;
  readonly signingSecret: string;
  /** What your endpoint gets: `conversion.approved`, signed. */
  readonly delivery: Request;
  /** Ada’s visitor. */
  readonly opportunity: number;
  readonly engagementId: number;
  /** `order-1001` of the source `shop`: 50.00 USD, decided. */
  readonly transactionId: number;
  readonly conversionId: number;
  readonly obligationId: number;
  readonly eventId: number;
  /** An event that could not be decided until now. */
  readonly parkedEventId: number;
  /** A run that has just been made, with Ada’s payout in it. */
  readonly fulfillmentId: number;
  readonly payoutId: number;
  readonly paidPayoutId: number;
  readonly processingFulfillmentId: number;
  /** Its sale was refunded after the run. */
  readonly flaggedPayoutId: number;
  /** Of an open portal, and one that nobody has. */
  readonly slug: string;
  readonly unusedSlug: string;
  /** What stands behind the `#` of a link that was just mailed to Ada. */
  readonly entryToken: string;
  /** A page of the portal that Ada has logged in to: `new Whence({ baseUrl, session: true })`. */
  readonly asCollaborator: Whence;
  /** What `@simplewebauthn/browser` is in a page: `startRegistration` and `startAuthentication`. */
  readonly authenticator: Authenticator;
  /** The same, with a passkey of Ada's. */
  readonly adasAuthenticator: Authenticator;
  readonly portalPasskeyId: number;
  /** An address that nobody has. */
  readonly newEmail: string;
  /** What stands behind the `#` of a link that was just mailed to who is invited. */
  readonly invitationToken: string;
  /** A page of the console that nobody has logged in to: `new Whence({ baseUrl, session: true })`. */
  readonly page: Whence;
  /** The same, of Grace, who has logged in; her address, her id. There is another owner beside her. */
  readonly asPerson: Whence;
  readonly email: string;
  readonly personId: number;
  readonly resetToken: string;
  /** What an app of hers shows for its secret. */
  readonly codeOf: (secret: string) => Promise<string>;
  /** With a passkey of hers. */
  readonly personsAuthenticator: Authenticator;
  readonly passkeyId: number;
  readonly today: string;
  readonly tomorrow: string;
};

export type Example = (world: World) => Promise<void>;
export type Examples = Readonly<Record<string, Example>>;
