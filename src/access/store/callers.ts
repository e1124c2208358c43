import type { ApiKeyId, CollaboratorId, PersonId, SessionId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { FRESH_SECONDS, type Role, type Scope } from '#core/caller.ts';

/**
 * The strength of the lock on a caller's row, which lasts until the transaction ends. `shared` prevents changes by
 * other transactions. `exclusive` is for transactions that may change the row themselves. If two such transactions
 * started with a shared lock, they would deadlock.
 */
export type CallerLock = 'shared' | 'exclusive';

const LOCKS: Readonly<Record<CallerLock, { readonly row: string; readonly advisory: string }>> = {
  shared: { row: 'for share', advisory: 'pg_advisory_xact_lock_shared' },
  exclusive: { row: 'for no key update', advisory: 'pg_advisory_xact_lock' },
};

/**
 * Locks all callers of an organization in order of arrival (see `queueForCaller`). Changes that can modify any person
 * or key take an exclusive lock, because removing a person locks several rows. Other changes by people take a shared
 * lock.
 */
export async function lockCallers({ connection, organizationId }: Tenant<Connection>, lock: CallerLock): Promise<void> {
  await lockInTurn(connection, `${organizationId} callers`, lock);
}

/** The name of an API key or a person in audit records. */
export type CallerName = `key ${ApiKeyId}` | `person ${PersonId}`;

/**
 * Takes the advisory lock of a caller until the transaction ends. Waiting transactions get it in order of arrival. Call
 * it right before locking the caller's row.
 *
 * Row locks are not granted in order: new shared locks overtake a transaction that waits to write the row. With row
 * locks alone, a constantly used key could never be revoked. A waiting advisory lock makes later locks wait.
 */
export async function queueForCaller(
  { connection, organizationId }: Tenant<Connection>,
  caller: CallerName,
  lock: CallerLock,
): Promise<void> {
  await lockInTurn(connection, `${organizationId} caller ${caller}`, lock);
}

/** Waits for other logins of the person, until the transaction ends. */
export async function queueForLogin({ connection, organizationId }: Tenant<Connection>, id: PersonId): Promise<void> {
  await lockInTurn(connection, `${organizationId} login of person ${id}`, 'exclusive');
}

async function lockInTurn(connection: Connection, name: string, lock: CallerLock): Promise<void> {
  await connection.query(`select ${LOCKS[lock].advisory}(hashtextextended($1, 0))`, [name]);
}

/**
 * Locks an API key that is neither revoked nor expired and returns its scopes. Returns undefined if there is no such
 * key.
 */
export async function lockKeyCaller(
  tenant: Tenant<Connection>,
  id: ApiKeyId,
  lock: CallerLock,
): Promise<readonly Scope[] | undefined> {
  await queueForCaller(tenant, `key ${id}`, lock);
  const { rows } = await tenant.connection.query<{ scopes: readonly Scope[] }>(
    `select scopes from api_keys
     where organization_id = $1 and id = $2 and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())
     ${LOCKS[lock].row}`,
    [tenant.organizationId, id],
  );
  return rows[0]?.scopes;
}

/** Locks an active person and returns their role. Returns undefined if there is no such person. */
export async function lockPersonCaller(
  tenant: Tenant<Connection>,
  id: PersonId,
  lock: CallerLock,
): Promise<Role | undefined> {
  await queueForCaller(tenant, `person ${id}`, lock);
  const { rows } = await tenant.connection.query<{ role: Role }>(
    `select role from people where organization_id = $1 and id = $2 and status = 'active' ${LOCKS[lock].row}`,
    [tenant.organizationId, id],
  );
  return rows[0]?.role;
}

/**
 * Returns whether an open session of the person began at most FRESH_SECONDS ago. Returns undefined if the session has
 * ended. Call it after `lockPersonCaller`, in a separate statement. A password change ends sessions under the person's
 * lock, and a snapshot from before the lock would still contain these sessions.
 */
export async function readPersonSession(
  { connection, organizationId }: Tenant<Connection>,
  personId: PersonId,
  id: SessionId,
): Promise<{ readonly isFresh: boolean } | undefined> {
  const { rows } = await connection.query<{ isFresh: boolean }>(
    `select created_at > clock_timestamp() - make_interval(secs => $4) as "isFresh" from sessions
     where organization_id = $1 and id = $2 and person_id = $3 and idle_until > clock_timestamp()`,
    [organizationId, id, personId, FRESH_SECONDS],
  );
  return rows[0];
}

/**
 * Returns whether an open session of the collaborator began at most FRESH_SECONDS ago. Returns undefined if the session
 * has ended or the collaborator can't use the portal. Requires the configuration lock, which the closing of a
 * collaborator's account also takes.
 */
export async function readCollaboratorSession(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorId: CollaboratorId,
  id: SessionId,
): Promise<{ readonly isFresh: boolean } | undefined> {
  const { rows } = await connection.query<{ isFresh: boolean }>(
    `select s.created_at > clock_timestamp() - make_interval(secs => $4) as "isFresh" from sessions s
     join collaborators c on c.organization_id = s.organization_id and c.id = s.collaborator_id
     where s.organization_id = $1 and s.id = $2 and s.collaborator_id = $3 and s.idle_until > clock_timestamp()
       and c.status in ('active', 'pending')`,
    [organizationId, id, collaboratorId, FRESH_SECONDS],
  );
  return rows[0];
}
