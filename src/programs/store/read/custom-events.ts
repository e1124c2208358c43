import type { CustomEventId } from '#core/ids.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type CustomEventResource = {
  readonly id: CustomEventId;
  readonly slug: string;
  readonly name: string;
  readonly status: 'active' | 'deleted';
  readonly createdAt: Date;
  readonly deletedAt: Date | null;
};

export const customEvents: Relation<CustomEventResource, CustomEventResource> = {
  query: `
    select organization_id, id, slug, name, case when deleted_at is null then 'active' else 'deleted' end as status,
      created_at as "createdAt", deleted_at as "deletedAt"
    from custom_events`,
  key: 'id',
  sorts: { id: 'bigint', slug: 'text', createdAt: 'timestamptz' },
  hidden: 'deleted',
  read: (row) => row,
};
