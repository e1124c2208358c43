import type { OrganizationId } from '#core/ids.ts';
import type { Queryable } from '#platform/postgres/database.ts';

/**
 * A rule that always holds, with a query or a function that finds violations. The query returns a row of text for each
 * violation. Its parameter $1 is the organization to check, or null for all organizations.
 */
export type Invariant = { readonly name: string } & (
  | { readonly query: string; readonly find?: never }
  | {
      readonly find: (connection: Queryable, organizationId: OrganizationId | null) => Promise<string[]>;
      readonly query?: never;
    }
);

/**
 * Returns an SQL condition for the rows of `alias` to check. When planned with the parameter's value, it is a plain
 * comparison or always true. For `= coalesce($1, organization_id)`, the planner would expect only one row in two
 * hundred.
 */
export function organizationFilter(alias: string): string {
  return `($1::bigint is null or ${alias}.organization_id = $1)`;
}
