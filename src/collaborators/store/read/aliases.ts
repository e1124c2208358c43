import type { AliasId, CollaboratorId } from '#core/ids.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type AliasResource = {
  readonly id: AliasId;
  readonly collaboratorId: CollaboratorId;
  readonly type: string;
  readonly code: string;
  readonly externalId: string | null;
  readonly pageUrl: string | null;
  readonly status: 'current' | 'retired';
  readonly createdAt: Date;
  readonly retiredAt: Date | null;
};

export const aliases: Relation<AliasResource, AliasResource> = {
  query: `
    select organization_id, id, collaborator_id as "collaboratorId", type, code,
      external_id as "externalId", page_url as "pageUrl",
      case when until_version is null then 'current' else 'retired' end as status,
      created_at as "createdAt", retired_at as "retiredAt"
    from aliases`,
  key: 'id',
  sorts: { id: 'bigint', code: 'text', createdAt: 'timestamptz' },
  hidden: 'retired',
  searched: 'position(:text in lower(r.code)) > 0',
  read: (row) => row,
};
