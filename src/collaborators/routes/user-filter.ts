import type { OrganizationId } from '#core/ids.ts';
import { NOBODY, type PlatformUserId } from '#core/user.ts';
import type { Queryable } from '#platform/postgres/database.ts';
import type { Filters } from '#platform/postgres/lists/relation.ts';
import { findUsers } from '../store/read/users.ts';

type UserQuery = {
  readonly auth: { readonly organizationId: OrganizationId };
  readonly query: { readonly filters: { readonly userId?: PlatformUserId | undefined } };
};

/** Replaces the user id in a list's filter with the user's stored number. */
export async function userFilter(database: Queryable, { auth, query }: UserQuery): Promise<Filters> {
  const { userId } = query.filters;
  if (userId === undefined) return {};
  return {
    userId:
      (await findUsers({ connection: database, organizationId: auth.organizationId }, [userId])).get(userId) ?? NOBODY,
  };
}
