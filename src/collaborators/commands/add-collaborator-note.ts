import type { CollaboratorId } from '#core/ids.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type CollaboratorNote, insertNote } from '../store/collaborator-notes.ts';
import { lockCollaboratorShared } from '../store/collaborators.ts';

export type NoteOutcome =
  { readonly kind: 'added'; readonly note: CollaboratorNote } | { readonly kind: 'unknown' | 'deleted' };

/** Adds a note to a collaborator. The lock prevents a note from being added during the collaborator's erasure. */
export function addCollaboratorNote(
  tenant: Tenant<Database>,
  id: CollaboratorId,
  note: Pick<CollaboratorNote, 'text' | 'author'>,
): Promise<NoteOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    const collaborator = await lockCollaboratorShared(tenant, id);
    if (collaborator === undefined) return { kind: 'unknown' };
    if (collaborator.status === 'deleted') return { kind: 'deleted' };
    return { kind: 'added', note: await insertNote(tenant, id, note) };
  });
}
