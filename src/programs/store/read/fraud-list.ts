import type { FraudListEntryId } from '#core/ids.ts';
import type { FraudListKind, FraudListName } from '../../domain/fraud-list.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type FraudListEntryResource = {
  readonly id: FraudListEntryId;
  readonly list: FraudListName;
  readonly kind: FraudListKind;
  readonly value: string;
  readonly note: string | null;
  readonly status: 'active' | 'deleted';
  readonly createdAt: Date;
  readonly deletedAt: Date | null;
};

export const fraudListEntries: Relation<FraudListEntryResource, FraudListEntryResource> = {
  query: `
    select organization_id, id, list, kind, value, note,
      case when deleted_at is null then 'active' else 'deleted' end as status, created_at as "createdAt",
      deleted_at as "deletedAt"
    from fraud_list_entries`,
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  hidden: 'deleted',
  read: (row) => row,
};
