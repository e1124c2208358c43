import type { CollaboratorFields } from '../collaborators.ts';
import type { CollaboratorId, UserId } from '#core/ids.ts';
import { type PlatformUserId, shownUser } from '#core/user.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';
import { userText } from './users.ts';

export type CollaboratorResource = Omit<CollaboratorFields, 'userId'> & {
  readonly id: CollaboratorId;
  readonly userId: PlatformUserId | null;
  readonly aliases: readonly { readonly type: string; readonly code: string }[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/**
 * Returns the SQL expression for the searched text of a collaborator. It must equal the expression of the index
 * `collaborators_search`.
 */
const words = (row: string): string =>
  `lower(${row}.name || chr(10) || coalesce(${row}.nickname, '') || chr(10) || coalesce(${row}.email, ''))`;

/**
 * SQL for the ids of the collaborators whose current alias codes contain the searched text. PostgreSQL evaluates it
 * once instead of for each collaborator. Uses the index `aliases_search`, unless the text has fewer than three
 * characters.
 */
const ALIASES = `
  select a.collaborator_id from aliases a
  where a.organization_id = :organization and a.until_version is null and position(:text in lower(a.code)) <> 0
    and (length(:text) < 3 or search_threes(a.organization_id, lower(a.code)) @> search_threes(:organization, :text))`;

/**
 * SQL for the ids of the collaborators that match the searched text. Uses indexes, so the text needs three characters.
 */
const SOUGHT = `
  select n.id from collaborators n
  where n.organization_id = :organization
    and search_threes(n.organization_id, ${words('n')}) @> search_threes(:organization, :text)
    and position(:text in ${words('n')}) <> 0
  union all ${ALIASES}`;

/**
 * The search of a relation whose rows have the collaborator `collaboratorId`, with the same matches as the search for
 * collaborators.
 */
export const collaboratorSearch = {
  searched: `r."collaboratorId" in (
    select n.id from collaborators n where n.organization_id = :organization and position(:text in ${words('n')}) <> 0
    union all ${ALIASES})`,
  sought: SOUGHT,
};

type Row = Omit<CollaboratorResource, 'userId'> & {
  readonly userId: UserId | null;
  readonly userText: string | null;
  readonly tag?: string;
};

/**
 * The columns of a collaborator `c`. Only the aliases of returned rows are read, with the index `aliases_collaborator`.
 */
const COLUMNS = `
  c.organization_id, c.id, c.name, c.email, c.nickname, c.status, c.user_id as "userId", ${userText('c')} as "userText",
  c.tags, c.fraud_review as "fraudReview", c.rejection_reason as "rejectionReason",
  coalesce((
    select json_agg(json_build_object('type', a.type, 'code', a.code) order by a.id) from aliases a
    where a.organization_id = c.organization_id and a.collaborator_id = c.id and a.until_version is null
  ), '[]') as aliases,
  c.created_at as "createdAt", c.updated_at as "updatedAt"`;

export const collaborators: Relation<Row, CollaboratorResource> = {
  query: `select ${COLUMNS} from collaborators c`,
  narrowed: ({ tag }) =>
    tag === undefined ? undefined : `select ${COLUMNS}, t.tag from collaborators c, unnest(c.tags) t(tag)`,
  key: 'id',
  sorts: { id: 'bigint', name: 'text', createdAt: 'timestamptz' },
  searched: `position(:text in ${words('r')}) > 0 or r.id in (${ALIASES})`,
  sought: SOUGHT,
  hidden: 'deleted',
  read: ({ userId, userText: text, tag: _, ...row }) => ({ ...row, userId: shownUser(userId, text) }),
};
