import type { OrganizationId } from '#core/ids.ts';

/** The identity of a sale, renewal or lead in reports: the reporting system, and the id in that system. */
export type Binding = { readonly source: string; readonly externalId: string };

/**
 * SQL for the transactions `t` with the given bindings. `b.n` is the index of the binding. Unknown bindings have no
 * row. `bindingValues` returns the parameters.
 */
export const BOUND = `
  unnest($2::int[], $3::text[], $4::text[]) as b (n, source, external_id)
  cross join lateral (
    select * from transactions t
    where t.organization_id = $1 and t.source = b.source and t.external_id = b.external_id
    limit 1 -- forces a lookup by index, independent of statistics
  ) t`;

/** Returns the parameters $1 to $4 of a statement that reads from `BOUND`. */
export function bindingValues(organizationId: OrganizationId, bindings: readonly Binding[]): unknown[] {
  return [
    organizationId,
    bindings.map((_, n) => n),
    bindings.map(({ source }) => source),
    bindings.map(({ externalId }) => externalId),
  ];
}
