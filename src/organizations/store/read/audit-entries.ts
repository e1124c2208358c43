import type { Relation } from '#platform/postgres/lists/relation.ts';

export type AuditEntryResource = {
  readonly id: number;
  readonly at: Date;
  readonly author: string;
  readonly operation: string;
  readonly path: string;
  readonly request: unknown;
  readonly before: unknown;
  readonly after: unknown;
};

export const auditEntries: Relation<AuditEntryResource, AuditEntryResource> = {
  query: 'select organization_id, id, at, author, operation, path, request, before, after from audit_entries',
  key: 'id',
  sorts: { id: 'bigint', at: 'timestamptz' },
  // The first slice is small, because an audit record can be large. For example, a program can have a thousand rewards.
  firstSlice: 10,
  read: (row) => row,
};
