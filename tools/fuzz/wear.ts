import { scopesOf } from '#access/domain/person.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { Credential } from './credential.ts';
import type { Role } from '#core/caller.ts';

/**
 * Returns whether a credential no longer has its original permissions. Requests of the campaign revoke keys, end
 * sessions and change roles. Queries the database, because the service itself is under test.
 */
export async function isWorn(
  database: Database,
  { scheme, scopes, hasEssentials, headers }: Credential,
): Promise<boolean> {
  if (scheme === 'none') return false;
  const { authorization = '', cookie = '' } = headers;
  const isKey = authorization !== '';
  const secret = isKey ? authorization.slice('Bearer '.length) : cookie.slice(cookie.indexOf('=') + 1);
  const { rows } = await database.query<Held>(isKey ? KEY : SESSION, [secret]);
  const [held] = rows;
  if (held === undefined) return true;
  const now: readonly string[] = held.role === null ? held.scopes : scopesOf(held.role);
  if (held.origins.length > 0 || (held.tier === 'essentials') !== hasEssentials) return true;
  return [...now].sort().join() !== [...scopes].sort().join();
}

type Held = {
  readonly scopes: string[];
  readonly origins: string[];
  readonly role: Role | null;
  readonly tier: string;
};

const KEY = `
  select scopes, origins, null as role, tier from api_keys k join organizations o on o.id = k.organization_id
  where hash = sha256(convert_to($1, 'UTF8')) and revoked_at is null and (expires_at is null or expires_at > now())`;

const SESSION = `
  select array[]::text[] as scopes, array[]::text[] as origins, p.role, o.tier from sessions s
  join organizations o on o.id = s.organization_id
  left join people p on p.organization_id = s.organization_id and p.id = s.person_id and p.status = 'active'
  left join collaborators c
    on c.organization_id = s.organization_id and c.id = s.collaborator_id and c.status in ('active', 'pending')
  where s.hash = sha256(convert_to($1, 'UTF8')) and s.idle_until > now() and (p.id is not null or c.id is not null)`;
