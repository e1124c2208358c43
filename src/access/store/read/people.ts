import type { PersonId } from '#core/ids.ts';
import type { PersonStatus } from '../../domain/person.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';
import type { Role } from '#core/caller.ts';

export type PersonResource = {
  readonly id: PersonId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly status: PersonStatus;
  readonly twoFactor: boolean;
  readonly passkeys: number;
  readonly createdAt: Date;
  readonly lastSeenAt: Date | null;
};

export const people: Relation<PersonResource, PersonResource> = {
  query: `
    select p.organization_id, p.id, p.email, p.name, p.role, p.status, p.totp_since is not null as "twoFactor",
      (select count(*) from passkeys k where k.organization_id = p.organization_id and k.person_id = p.id) as passkeys,
      p.created_at as "createdAt", p.last_seen_at as "lastSeenAt"
    from people p`,
  key: 'id',
  sorts: { id: 'bigint', name: 'text', createdAt: 'timestamptz' },
  hidden: 'removed',
  read: (row) => row,
};
