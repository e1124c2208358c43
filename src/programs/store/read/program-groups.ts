import type { ProgramGroupId } from '#core/ids.ts';
import type { GroupFields } from '../../domain/program-group.ts';
import { GROUP_PROGRAM_IDS, NEWEST_GROUP_VERSION } from '../program-groups.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type ProgramGroupResource = GroupFields & {
  readonly id: ProgramGroupId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export const programGroups: Relation<ProgramGroupResource, ProgramGroupResource> = {
  query: `
    select g.organization_id, g.id, v.name, v.rule, v.status, ${GROUP_PROGRAM_IDS} as "programIds",
      g.created_at as "createdAt", v.created_at as "updatedAt"
    from program_groups g cross join ${NEWEST_GROUP_VERSION} v`,
  key: 'id',
  sorts: { id: 'bigint', name: 'text', createdAt: 'timestamptz', updatedAt: 'timestamptz' },
  hidden: 'deleted',
  read: (row) => row,
};
