import type { MaterialId } from '#core/ids.ts';
import { changedFields } from '#platform/changed-fields.ts';
import type { Database } from '#platform/postgres/database.ts';
import { readExisting, readOne } from '#platform/postgres/lists/page.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { faultOfFields, type Material, type MaterialFields } from '../domain/material.ts';
import { materials, removeMaterial, saveMaterial } from '../store/materials.ts';
import { findReferenceFault, type ReferenceFault } from './reference-fault.ts';

/** The fields of a material to change. Undefined fields stay unchanged. */
export type MaterialChange = { readonly [Field in keyof MaterialFields]?: MaterialFields[Field] | undefined };

export type MaterialChangeOutcome =
  | { readonly kind: 'changed'; readonly material: Material }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'faulty'; readonly field: string; readonly detail: string }
  | ReferenceFault;

/**
 * Changes a material. Requires the lock of the material. An unchanged program or page isn't checked again. It may have
 * become unavailable, but the other fields must still be changeable.
 */
export function changeMaterial(
  tenant: Tenant<Database>,
  id: MaterialId,
  change: MaterialChange,
): Promise<MaterialChangeOutcome> {
  return inTenantTransaction(tenant, async (tenant): Promise<MaterialChangeOutcome> => {
    const material = await readOne(tenant, materials, { id });
    if (material === undefined) return { kind: 'unknown' };
    const changed = changedFields<MaterialFields>(fieldsOf(material), change);
    if (changed === undefined) return { kind: 'changed', material };
    const fault = faultOfFields(material.kind, changed);
    if (fault !== undefined) return { kind: 'faulty', ...fault };
    const { programId, pageUrl } = changed;
    const referenceFault = await findReferenceFault(tenant, {
      programId: programId === material.programId ? null : programId,
      pageUrl: pageUrl === material.pageUrl ? null : pageUrl,
    });
    if (referenceFault !== undefined) return referenceFault;
    await saveMaterial(tenant, id, changed);
    return { kind: 'changed', material: await readExisting(tenant, materials, { id }) };
  });
}

function fieldsOf({ title, programId, licenseNote, pageUrl, text, status }: Material): MaterialFields {
  return { title, programId, licenseNote, pageUrl, text, status };
}

/** Deletes a material with its file. Returns false if there is no such material. */
export function deleteMaterial(tenant: Tenant<Database>, id: MaterialId): Promise<boolean> {
  return inTenantTransaction(tenant, (tenant) => removeMaterial(tenant, id));
}
