import { randomBytes } from 'node:crypto';
import type { PersonId, SessionId } from '#core/ids.ts';
import { scopesOf } from '../domain/person.ts';
import { tokenHash, tokenOf } from '../domain/session.ts';
import { insertAuditEntry } from '#organizations/store/audit.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { readOpenSession } from '../store/people.ts';
import { type OrganizationResource, readOrganization } from '#organizations/store/read/organizations.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { people, type PersonResource } from '../store/read/people.ts';
import { endReplacedSession, insertSession } from '../store/sessions.ts';
import type { Scope, SessionHolder } from '#core/caller.ts';

/** A new session. The HTTP response contains its token only in the cookie. */
export type BegunSession = { readonly id: SessionId; readonly token: string };

/** The browser in which a session begins. */
export type Browser = {
  readonly userAgent: string | undefined;
  /**
   * The token of the browser's current session, if any. That session ends, because otherwise it would stay open
   * unnoticed.
   */
  readonly token: string | undefined;
};

/** Begins a session with a new token, in the caller's transaction. Ends the browser's previous session. */
export async function beginSession(
  tenant: Tenant<Connection>,
  holder: SessionHolder,
  { userAgent, token: replaced }: Browser,
): Promise<BegunSession> {
  if (replaced !== undefined) await endReplacedSession(tenant.connection, tokenHash(replaced));
  const token = tokenOf(randomBytes(32));
  return { token, id: await insertSession(tenant, holder, { hash: tokenHash(token), userAgent }) };
}

/** A person's session, as in the login response. */
export type PersonSession = {
  readonly id: SessionId;
  readonly person: PersonResource;
  readonly organization: Pick<OrganizationResource, 'id' | 'name' | 'tier' | 'mode' | 'timeZone' | 'reportingCurrency'>;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
};

export async function readPersonSession(
  tenant: Tenant,
  personId: PersonId,
  sessionId: SessionId,
): Promise<PersonSession | undefined> {
  const session = await readOpenSession(tenant, sessionId);
  const person = await readOne(tenant, people, { id: personId });
  if (session === undefined || person === undefined) return undefined;
  const { id, name, tier, mode, timeZone, reportingCurrency } = await readOrganization(tenant);
  return {
    ...session,
    person,
    organization: { id, name, tier, mode, timeZone, reportingCurrency },
    scopes: scopesOf(person.role),
  };
}

export type LoggedIn = { readonly token: string; readonly session: PersonSession };

/** Logs a person in, in the caller's transaction. Writes an audit record with `operation` and `path`. */
export async function logIn(
  tenant: Tenant<Connection>,
  personId: PersonId,
  browser: Browser,
  { operation, path }: { readonly operation: string; readonly path: string },
): Promise<LoggedIn> {
  const { id, token } = await beginSession(tenant, { kind: 'person', personId }, browser);
  const entry = { author: `person ${personId}`, operation, path, request: null, before: null, after: null };
  await insertAuditEntry(tenant, entry);
  const session = (await readPersonSession(tenant, personId, id)) as PersonSession;
  return { token, session };
}
