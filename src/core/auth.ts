import type { ApiKeyId, OrganizationId, SessionId } from './ids.ts';
import type { OpportunityNumbers } from './opportunity-number.ts';
import type { KeyKind, Scope, SessionHolder, SessionKind, Tier } from './caller.ts';

/** An authenticated caller, with the data about its key or session and its organization that a request needs. */
export type Auth = {
  readonly organizationId: OrganizationId;
  /** A unique name of the caller. Rate limits and stored responses use it. */
  readonly caller: string;
  /** The caller's name in audit records, such as `key 3`. */
  readonly author: string;
  readonly kind: KeyKind | SessionKind;
  readonly scopes: readonly Scope[];
  readonly tier: Tier;
  /** The origins from which the caller's API key can be used. An empty list allows any origin. */
  readonly origins: readonly string[];
  readonly opportunityNumbers: OpportunityNumbers;
  /** The id of the caller's API key. Absent if the caller uses a session. */
  readonly keyId?: ApiKeyId;
  /** The caller's session. Absent if the caller uses an API key. */
  readonly session?: SessionHolder & {
    readonly id: SessionId;
    /** Whether the login is at most FRESH_SECONDS old. */
    readonly isFresh: boolean;
    /**
     * Whether the session is a preview, in which a person sees the portal as the collaborator sees it, but can't change
     * anything.
     */
    readonly isPreview: boolean;
  };
};

export type Authentication = {
  /**
   * Returns the caller with the given key or session token, or undefined if the key or token is invalid. A cached
   * result is returned synchronously, so that most calls don't wait for the event loop. Rejects if the database lookup
   * fails.
   */
  readonly recognize: (secret: string) => Auth | undefined | Promise<Auth | undefined>;
};
