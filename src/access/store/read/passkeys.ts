import type { PasskeyId } from '#core/ids.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type PasskeyResource = {
  readonly id: PasskeyId;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

type Row = PasskeyResource & { readonly personId: unknown; readonly collaboratorId: unknown };

/** Passkeys. Queries must filter by a person or collaborator. */
export const passkeys: Relation<Row, PasskeyResource> = {
  query: `
    select organization_id, id, person_id as "personId", collaborator_id as "collaboratorId", name,
      created_at as "createdAt", last_used_at as "lastUsedAt"
    from passkeys`,
  key: 'id',
  sorts: { id: 'bigint' },
  read: ({ id, name, createdAt, lastUsedAt }) => ({ id, name, createdAt, lastUsedAt }),
};
