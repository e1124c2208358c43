import type { CollaboratorId, UserId } from '#core/ids.ts';
import { type PlatformUserId, TEXT_USERS_BELOW } from '#core/user.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/**
 * Returns the numbers that are stored for user ids of the merchant's platform. Text ids that were never recorded are
 * missing.
 */
export async function findUsers(
  { connection, organizationId }: Tenant,
  users: readonly PlatformUserId[],
): Promise<Map<PlatformUserId, UserId>> {
  const found = numberedUsers(users);
  const texts = textsOf(users);
  if (texts.length === 0) return found;
  const { rows } = await connection.query<{ text: string; userId: UserId }>({
    name: 'find-text-users',
    text: `select text, user_id as "userId" from text_users where organization_id = $1 and text = any ($2::text[])`,
    values: [organizationId, texts],
  });
  for (const { text, userId } of rows) found.set(text, userId);
  return found;
}

/** Returns the stored numbers of the users with integer ids. The stored number equals the integer id. */
export function numberedUsers(users: readonly PlatformUserId[]): Map<PlatformUserId, UserId> {
  return new Map(users.flatMap((user) => (typeof user === 'number' ? [[user, user]] : [])));
}

/** Returns the distinct text ids among `users`. */
export function textsOf(users: readonly PlatformUserId[]): string[] {
  return [...new Set(users.filter((user) => typeof user === 'string'))];
}

/**
 * Returns SQL for the text id of the user in the column `user_id` of `row`, or null for users without a text id. Uses
 * the primary key. `organization` is the statement's SQL for the organization, so that the lookup stays within that
 * organization.
 */
export function userText(row: string, organization = `${row}.organization_id`): string {
  return `case when ${row}.user_id < ${TEXT_USERS_BELOW} then (
      select u.text from text_users u where u.organization_id = ${organization} and u.user_id = ${row}.user_id
    ) end`;
}

/** Returns the current and former user ids of a collaborator: integers first, then texts. */
export async function readUsersOfCollaborator(
  { connection, organizationId }: Tenant,
  id: CollaboratorId,
): Promise<PlatformUserId[]> {
  const { rows } = await connection.query<{ userId: UserId; userText: string | null }>(
    `select distinct v.user_id as "userId", ${userText('v')} as "userText" from collaborator_versions v
     where v.organization_id = $1 and v.collaborator_id = $2 and v.user_id is not null order by 1 desc`,
    [organizationId, id],
  );
  return rows.map(({ userId, userText: text }) => text ?? userId);
}
