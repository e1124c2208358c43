import type { OrganizationId } from '#domain/ids.ts';
import type { Queryable } from '../database.ts';

/**
 * A rule that always holds, and what finds that which breaks it: no row, or one row of text for each breach. A query's
 * $1 is the organization to look at, null for all.
 */
export type Invariant = { readonly name: string } & (
  | { readonly query: string; readonly find?: never }
  | {
      readonly find: (connection: Queryable, organizationId: OrganizationId | null) => Promise<string[]>;
      readonly query?: never;
    }
);

/**
 * The rows of `alias` that are looked at. Planned with the organization at hand, it is a plain comparison, or nothing at
 * all: `= coalesce($1, organization_id)` would look like one row in two hundred to the planner.
 */
export function mine(alias: string): string {
  return `($1::bigint is null or ${alias}.organization_id = $1)`;
}
