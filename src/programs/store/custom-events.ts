import type { CustomEventId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type CustomEventFields = { readonly slug: string; readonly name: string };
export type CustomEvent = {
  readonly isDeleted: boolean;
  /** Whether a program that is not deleted uses the custom event as a trigger. */
  readonly isTrigger: boolean;
};

/** Adds a custom event and returns its id, or undefined if the slug is in use. Uses the index `custom_events_slug`. */
export async function insertCustomEvent(
  { connection, organizationId }: Tenant<Connection>,
  { slug, name }: CustomEventFields,
): Promise<CustomEventId | undefined> {
  const { rows } = await connection.query<{ id: CustomEventId }>(
    `insert into custom_events (organization_id, slug, name) values ($1, $2, $3)
     on conflict (organization_id, slug) where deleted_at is null do nothing
     returning id`,
    [organizationId, slug, name],
  );
  return rows[0]?.id;
}

/**
 * Returns the current state of a custom event, if it exists. While the transaction has the configuration lock, the
 * state can't change.
 */
export async function findCustomEvent(
  { connection, organizationId }: Tenant<Connection>,
  id: CustomEventId,
): Promise<CustomEvent | undefined> {
  const { rows } = await connection.query<CustomEvent>(
    `select c.deleted_at is not null as "isDeleted", exists (
       select from programs p
       join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version
       where p.organization_id = c.organization_id and v.status <> 'deleted' and v.triggers ? c.slug
     ) as "isTrigger"
     from custom_events c where c.organization_id = $1 and c.id = $2`,
    [organizationId, id],
  );
  return rows[0];
}

/**
 * Returns the elements of `slugs` that belong to custom events that are not deleted. Uses the index
 * `custom_events_slug`.
 */
export async function findCustomEvents(
  { connection, organizationId }: Tenant,
  slugs: readonly string[],
): Promise<Set<string>> {
  const { rows } = await connection.query<{ slug: string }>({
    name: 'find-custom-events',
    text: `
      select slug from custom_events
      where organization_id = $1 and slug = any ($2::text[]) and deleted_at is null`,
    values: [organizationId, [...new Set(slugs)]],
  });
  return new Set(rows.map(({ slug }) => slug));
}

export async function markCustomEventDeleted(
  { connection, organizationId }: Tenant<Connection>,
  id: CustomEventId,
): Promise<void> {
  await connection.query('update custom_events set deleted_at = now() where organization_id = $1 and id = $2', [
    organizationId,
    id,
  ]);
}
