import type { OrganizationId } from '#core/ids.ts';
import { NOBODY, type PlatformUserId } from '#core/user.ts';
import type { Queryable } from '#platform/postgres/database.ts';
import type { Filters } from '#platform/postgres/lists/relation.ts';
import { findUsers } from '../store/read/users.ts';

type UserQuery = {
  readonly auth: { readonly organizationId: OrganizationId };
  readonly query: { readonly filters: { readonly userId?: PlatformUserId | undefined } };
};

/**
 * Returns a filter for rows with the user id of a query, or an empty filter if the query has no user id. The filter
 * contains the number that is stored for the user id. For a text id that was never recorded, it contains NOBODY, which
 * matches no rows.
 */
export async function userFilter(database: Queryable, { auth, query }: UserQuery): Promise<Filters> {
  const { userId } = query.filters;
  if (userId === undefined) return {};
  return {
    userId:
      (await findUsers({ connection: database, organizationId: auth.organizationId }, [userId])).get(userId) ?? NOBODY,
  };
}
