import type { UserId } from '#core/ids.ts';
import { type PlatformUserId, TEXT_USERS_BELOW } from '#core/user.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { numberedUsers, textsOf } from './read/users.ts';

/**
 * Returns the stored number of each user, and records new text ids. No erasure can remove the returned text ids before
 * the transaction ends. Integer ids are stored unchanged and need no query.
 */
export async function lockUsers(
  { connection, organizationId }: Tenant<Connection>,
  users: readonly PlatformUserId[],
): Promise<Map<PlatformUserId, UserId>> {
  const locked = numberedUsers(users);
  for (let missing = textsOf(users); missing.length > 0; missing = missing.filter((text) => !locked.has(text))) {
    const { rows } = await connection.query<{ text: string; userId: UserId }>({
      name: 'lock-text-users',
      text: `
        select text, user_id as "userId" from text_users where organization_id = $1 and text = any ($2::text[])
        order by text for key share`,
      values: [organizationId, missing],
    });
    for (const { text, userId } of rows) locked.set(text, userId);
    if (rows.length === missing.length) break;
    // Another transaction may insert a text id first, or an erasure may remove it. The next round checks again.
    await connection.query({
      name: 'insert-text-users',
      text: `
        insert into text_users (organization_id, user_id, text)
        select $1, ${TEXT_USERS_BELOW} - nextval('text_user_numbers'), text
        from unnest($2::text[]) as new (text) order by text collate "C"
        on conflict (organization_id, text) do nothing`,
      values: [organizationId, missing.filter((text) => !locked.has(text))],
    });
  }
  return locked;
}

export async function lockUser(tenant: Tenant<Connection>, user: PlatformUserId): Promise<UserId> {
  return (await lockUsers(tenant, [user])).get(user) as UserId;
}

/**
 * Locks the text id of a user before an erasure. Waits for reports in progress with the text id. Later reports with the
 * text id wait for the erasure, and then record the text id again. Does nothing for an integer id.
 */
export async function lockUserText({ connection, organizationId }: Tenant<Connection>, userId: UserId): Promise<void> {
  if (userId >= TEXT_USERS_BELOW) return;
  await connection.query('select from text_users where organization_id = $1 and user_id = $2 for update', [
    organizationId,
    userId,
  ]);
}

/**
 * Deletes the text ids of erased users. A text id that a collaborator has or had stays until the collaborator is
 * erased.
 */
export async function removeUserTexts(
  { connection, organizationId }: Tenant<Connection>,
  userIds: readonly UserId[],
): Promise<void> {
  const numbers = userIds.filter((userId) => userId < TEXT_USERS_BELOW);
  if (numbers.length === 0) return;
  await connection.query(
    `delete from text_users u
     where u.organization_id = $1 and u.user_id = any ($2::bigint[])
       and not exists (select from collaborators c where c.organization_id = $1 and c.user_id = u.user_id)
       and not exists (select from collaborator_versions v where v.organization_id = $1 and v.user_id = u.user_id)`,
    [organizationId, numbers],
  );
}
