import type { OrganizationId } from '#domain/ids.ts';
import { faultOfPortal } from '#domain/portal.ts';
import { lockConfiguration } from '#store/configuration.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { emptyPortal, findPortal, type PortalFields, savePortal, takeSlug } from '#store/portals.ts';
import { type PortalSettings, readPortalSettings } from '#store/read/portals.ts';
import { changedFields } from './changed-fields.ts';

/** A field that is undefined stays as it is. */
export type PortalChange = { readonly [Field in keyof PortalFields]?: PortalFields[Field] | undefined };

export type PortalChanging =
  | { readonly kind: 'changed'; readonly settings: PortalSettings }
  | { readonly kind: 'faulty'; readonly field: string; readonly detail: string }
  | { readonly kind: 'taken' };

/** Changes what is given of the portal. One that is closed has nobody in it. */
export function changePortal(
  database: Database,
  organizationId: OrganizationId,
  change: PortalChange,
): Promise<PortalChanging> {
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    const current = await findPortal(connection, organizationId);
    const changed = changedFields(current, change);
    if (changed !== undefined) {
      const fault = faultOfPortal(changed);
      if (fault !== undefined) return { kind: 'faulty', ...fault };
      if (!(await takeSlug(connection, organizationId, changed.slug))) return { kind: 'taken' };
      await savePortal(connection, organizationId, changed);
      if (changed.slug === null) await emptyPortal(connection, organizationId);
    }
    return { kind: 'changed', settings: await readPortalSettings(connection, organizationId) };
  });
}
