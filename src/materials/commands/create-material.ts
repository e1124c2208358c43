import { hash, randomBytes } from 'node:crypto';
import { lockResource } from '#organizations/store/audit.ts';
import type { Database } from '#platform/postgres/database.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { kindOf, type Material, type MaterialFields, MAX_MATERIALS } from '../domain/material.ts';
import { type FileType, hasExtension, inspectFile, MAX_FILE_BYTES, MAX_STORED_BYTES } from '../domain/material-file.ts';
import { countMaterials, insertMaterial, materials, type NewMaterial } from '../store/materials.ts';
import { findReferenceFault, type ReferenceFault } from './reference-fault.ts';

export type GivenFile = { readonly name: string; readonly data: Buffer };

export type GivenMaterial = Omit<MaterialFields, 'status'> & {
  readonly file: GivenFile | null;
  readonly author: string;
};

type FileFault =
  | { readonly kind: 'unsupported-file' | 'file-too-large' }
  | { readonly kind: 'other-extension'; readonly type: FileType };

export type MaterialCreation =
  | { readonly kind: 'created'; readonly material: Material }
  /** The material has both a file and a text, or it has no file, text or page. */
  | { readonly kind: 'no-content' }
  | { readonly kind: 'too-many' | 'full' }
  | FileFault
  | ReferenceFault;

/** The number of random bytes of a file's key. */
const KEY_BYTES = 16;

/** Creates a material. Concurrent calls of an organization run one at a time, so that they can't exceed the limits. */
export async function createMaterial(
  tenant: Tenant<Database>,
  { file: given, ...fields }: GivenMaterial,
): Promise<MaterialCreation> {
  const { text, pageUrl } = fields;
  const kind = kindOf({ hasFile: given !== null, hasText: text !== null, hasPage: pageUrl !== null });
  if (kind === undefined) return { kind: 'no-content' };
  const file = given === null ? null : newFile(given);
  if (file !== null && 'kind' in file) return file;
  return inTenantTransaction(tenant, async (tenant): Promise<MaterialCreation> => {
    const fault = await findReferenceFault(tenant, fields);
    if (fault !== undefined) return fault;
    await lockResource(tenant, '/v1/materials');
    const stored = await countMaterials(tenant);
    if (stored.materials >= MAX_MATERIALS) return { kind: 'too-many' };
    if (stored.bytes + (file?.content.length ?? 0) > MAX_STORED_BYTES) return { kind: 'full' };
    const id = await insertMaterial(tenant, { ...fields, kind, file });
    return { kind: 'created', material: await readExisting(tenant, materials, { id }) };
  });
}

function newFile({ name, data }: GivenFile): Exclude<NewMaterial['file'], null> | FileFault {
  if (data.length > MAX_FILE_BYTES) return { kind: 'file-too-large' };
  const facts = inspectFile(data);
  if (facts === undefined) return { kind: 'unsupported-file' };
  if (!hasExtension(name, facts.type)) return { kind: 'other-extension', type: facts.type };
  const key = randomBytes(KEY_BYTES).toString('base64url');
  return { ...facts, key, name, hash: hash('sha256', data, 'buffer'), content: data };
}
