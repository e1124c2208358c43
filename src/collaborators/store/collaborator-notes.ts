import type { CollaboratorId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type CollaboratorNote = {
  readonly id: number;
  readonly text: string;
  readonly author: string;
  readonly createdAt: Date;
};

const COLUMNS = 'id, text, author, created_at as "createdAt"';

/** The notes of collaborators. Uses the index `collaborator_notes_collaborator`. */
export const collaboratorNotes: Relation<CollaboratorNote & { readonly collaboratorId: number }, CollaboratorNote> = {
  query: `select organization_id, collaborator_id as "collaboratorId", ${COLUMNS} from collaborator_notes`,
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  read: ({ id, text, author, createdAt }) => ({ id, text, author, createdAt }),
};

export async function insertNote(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorId: CollaboratorId,
  { text, author }: Pick<CollaboratorNote, 'text' | 'author'>,
): Promise<CollaboratorNote> {
  const { rows } = await connection.query<CollaboratorNote>(
    `insert into collaborator_notes (organization_id, collaborator_id, text, author) values ($1, $2, $3, $4)
     returning ${COLUMNS}`,
    [organizationId, collaboratorId, text, author],
  );
  return rows[0] as CollaboratorNote;
}

/** Deletes a note and returns it, or returns undefined if the collaborator has no such note. */
export async function removeNote(
  { connection, organizationId }: Tenant,
  collaboratorId: CollaboratorId,
  id: number,
): Promise<CollaboratorNote | undefined> {
  const { rows } = await connection.query<CollaboratorNote>(
    `delete from collaborator_notes where organization_id = $1 and collaborator_id = $2 and id = $3 returning ${COLUMNS}`,
    [organizationId, collaboratorId, id],
  );
  return rows[0];
}
