import type { KeyStatus } from '../../domain/api-key.ts';
import type { ApiKeyId } from '#core/ids.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';
import type { KeyKind, Scope } from '#core/caller.ts';

export type ApiKeyResource = {
  readonly id: ApiKeyId;
  readonly kind: KeyKind;
  readonly status: KeyStatus;
  readonly label: string;
  readonly keyPrefix: string;
  readonly scopes: readonly Scope[];
  readonly origins: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** The successor of this key, if it was rotated. */
  readonly replacedBy: ApiKeyId | null;
  readonly lastUsedAt: Date | null;
};

export const apiKeys: Relation<ApiKeyResource, ApiKeyResource> = {
  query: `
    select organization_id, id, kind,
      case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'active' end as status, label, prefix as "keyPrefix", scopes, origins, created_at as "createdAt",
      expires_at as "expiresAt", revoked_at as "revokedAt", replaced_by as "replacedBy", last_used_at as "lastUsedAt"
    from api_keys`,
  key: 'id',
  sorts: { id: 'bigint', label: 'text', createdAt: 'timestamptz' },
  read: (row) => row,
};
