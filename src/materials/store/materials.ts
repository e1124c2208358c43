import type { MaterialId, OrganizationId } from '#core/ids.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { Material, MaterialFields, MaterialFile, MaterialKind } from '../domain/material.ts';
import type { FileType } from '../domain/material-file.ts';

/** The columns of a material `m`, without the content of its file. */
export const MATERIAL = `m.id, m.kind, m.title, m.program_id as "programId", m.license_note as "licenseNote",
  m.page_url as "pageUrl", m.text, m.status, m.file_key as "fileKey", m.file_name as "fileName",
  m.file_type as "fileType", length(m.file) as "fileBytes", m.width, m.height, m.author, m.created_at as "createdAt",
  m.updated_at as "updatedAt"`;

export type MaterialRow = Omit<Material, 'file'> & {
  readonly fileKey: string | null;
  readonly fileName: string;
  readonly fileType: FileType;
  readonly fileBytes: number;
  readonly width: number | null;
  readonly height: number | null;
};

export const materials: Relation<MaterialRow, Material> = {
  query: `select m.organization_id, ${MATERIAL} from materials m`,
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  hidden: 'archived',
  // The first slice is small, because a text can have MAX_MATERIAL_TEXT characters.
  firstSlice: 20,
  read: readMaterial,
};

export function readMaterial<Row extends MaterialRow>(row: Row) {
  const { fileKey, fileName, fileType, fileBytes, width, height, ...material } = row;
  const file: MaterialFile | null =
    fileKey === null ? null : { key: fileKey, name: fileName, type: fileType, bytes: fileBytes, width, height };
  return { ...material, file };
}

/** Counts the materials of an organization and the bytes of their files. */
export async function countMaterials({ connection, organizationId }: Tenant): Promise<{
  readonly materials: number;
  readonly bytes: number;
}> {
  const { rows } = await connection.query<{ materials: number; bytes: number }>(
    `select count(*)::integer as materials, coalesce(sum(length(file)), 0)::bigint as bytes
     from materials where organization_id = $1`,
    [organizationId],
  );
  return rows[0] as { materials: number; bytes: number };
}

export type NewMaterial = Omit<MaterialFields, 'status'> & {
  readonly kind: MaterialKind;
  readonly file: (Omit<MaterialFile, 'bytes'> & { readonly hash: Buffer; readonly content: Buffer }) | null;
  readonly author: string;
};

export async function insertMaterial(
  { connection, organizationId }: Tenant<Connection>,
  { kind, title, programId, licenseNote, pageUrl, text, file, author }: NewMaterial,
): Promise<MaterialId> {
  const { rows } = await connection.query<{ id: MaterialId }>(
    `insert into materials (organization_id, kind, title, program_id, license_note, page_url, text, author, file_key,
       file_name, file_type, file_hash, file, width, height)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) returning id`,
    [
      organizationId,
      kind,
      title,
      programId,
      licenseNote,
      pageUrl,
      text,
      author,
      file?.key,
      file?.name,
      file?.type,
      file?.hash,
      file?.content,
      file?.width,
      file?.height,
    ],
  );
  return (rows[0] as { id: MaterialId }).id;
}

export async function saveMaterial(
  { connection, organizationId }: Tenant<Connection>,
  id: MaterialId,
  { title, programId, licenseNote, pageUrl, text, status }: MaterialFields,
): Promise<void> {
  await connection.query(
    `update materials set title = $3, program_id = $4, license_note = $5, page_url = $6, text = $7, status = $8,
       updated_at = now()
     where organization_id = $1 and id = $2`,
    [organizationId, id, title, programId, licenseNote, pageUrl, text, status],
  );
}

/** Deletes a material with its file. Returns false if there is no such material. */
export async function removeMaterial(
  { connection, organizationId }: Tenant<Connection>,
  id: MaterialId,
): Promise<boolean> {
  const { rowCount } = await connection.query('delete from materials where organization_id = $1 and id = $2', [
    organizationId,
    id,
  ]);
  return rowCount === 1;
}

export type StoredFile = {
  readonly organizationId: OrganizationId;
  readonly key: string;
  readonly name: string;
  readonly type: FileType;
  readonly hash: Buffer;
  readonly bytes: number;
};

/**
 * Returns the file with the given key, without its content. Returns undefined for an unknown key, and for the file of
 * an archived material. Uses the index `materials_file`.
 */
export async function findFile(connection: Queryable, key: string): Promise<StoredFile | undefined> {
  const { rows } = await connection.query<StoredFile>(
    `select organization_id as "organizationId", file_key as key, file_name as name, file_type as type,
       file_hash as hash, octet_length(file) as bytes
     from materials where file_key = $1 and status = 'active'`,
    [key],
  );
  return rows[0];
}

/** Returns the content of the file with the given key, or undefined if it was deleted in the meantime. */
export async function readFileContent(connection: Queryable, key: string): Promise<Buffer | undefined> {
  const { rows } = await connection.query<{ file: Buffer }>('select file from materials where file_key = $1', [key]);
  return rows[0]?.file;
}
