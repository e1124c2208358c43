import type { ApiKeyId, OrganizationId, SessionId } from './ids.ts';
import type { OpportunityNumbers } from './opportunity-number.ts';
import type { KeyKind, Scope, SessionHolder, SessionKind, Tier } from './caller.ts';

/** An authenticated caller, with the data about its key or session and its organization that a request needs. */
export type Auth = {
  readonly organizationId: OrganizationId;
  /** A unique name of the caller. Rate limits and stored responses use it. */
  readonly caller: string;
  /** The name that records show as the author of the caller's changes, such as `key 3`. */
  readonly author: string;
  readonly kind: KeyKind | SessionKind;
  readonly scopes: readonly Scope[];
  readonly tier: Tier;
  /** The allowed origins. An empty list allows any origin. */
  readonly origins: readonly string[];
  readonly opportunityNumbers: OpportunityNumbers;
  /** Set if the caller uses an API key. */
  readonly keyId?: ApiKeyId;
  /** Set if the caller uses a session. */
  readonly session?: SessionHolder & { readonly id: SessionId; readonly isFresh: boolean };
};

export type Authentication = {
  /**
   * Returns a cached result synchronously, so that a busy key doesn't yield to the event loop. Rejects if the database
   * lookup fails.
   */
  readonly recognize: (secret: string) => Auth | undefined | Promise<Auth | undefined>;
};
