import type { CollaboratorId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type AgreementVersion = {
  readonly version: number;
  /** The text of the agreement, or null if this version withdraws it. */
  readonly text: string | null;
  readonly author: string;
  readonly createdAt: Date;
};

export type AgreementAcceptance = { readonly version: number; readonly acceptedAt: Date };

const VERSION = 'version, text, author, created_at as "createdAt"';

/** The versions of the partner agreement. */
export const agreementVersions: Relation<AgreementVersion, AgreementVersion> = {
  query: `select organization_id, ${VERSION} from agreement_versions`,
  key: 'version',
  sorts: { version: 'bigint', createdAt: 'timestamptz' },
  // The first slice is small, because a text can have MAX_AGREEMENT characters.
  firstSlice: 5,
  read: (row) => row,
};

/** The versions that collaborators accepted. Uses the primary key of `agreement_acceptances`. */
export const agreementAcceptances: Relation<
  AgreementAcceptance & { readonly collaboratorId: number },
  AgreementAcceptance
> = {
  query: `
    select organization_id, collaborator_id as "collaboratorId", version, accepted_at as "acceptedAt"
    from agreement_acceptances`,
  key: 'version',
  sorts: { version: 'bigint', acceptedAt: 'timestamptz' },
  read: ({ version, acceptedAt }) => ({ version, acceptedAt }),
};

/** Returns the newest version of the partner agreement, or undefined if there has never been a version. */
export async function findNewestAgreement({
  connection,
  organizationId,
}: Tenant): Promise<AgreementVersion | undefined> {
  const { rows } = await connection.query<AgreementVersion>(
    `select ${VERSION} from agreement_versions where organization_id = $1 order by version desc limit 1`,
    [organizationId],
  );
  return rows[0];
}

/** Returns the number of the version in force, or undefined if there is no agreement. Doesn't read the text. */
export async function findAgreementInForce({ connection, organizationId }: Tenant): Promise<number | undefined> {
  const { rows } = await connection.query<{ version: number; isInForce: boolean }>(
    `select version, text is not null as "isInForce" from agreement_versions
     where organization_id = $1 order by version desc limit 1`,
    [organizationId],
  );
  return rows[0]?.isInForce === true ? rows[0].version : undefined;
}

/** Inserts a version. Requires the configuration lock, so that versions are numbered without gaps. */
export async function insertAgreementVersion(
  { connection, organizationId }: Tenant<Connection>,
  { version, text, author }: Omit<AgreementVersion, 'createdAt'>,
): Promise<AgreementVersion> {
  const { rows } = await connection.query<AgreementVersion>(
    `insert into agreement_versions (organization_id, version, text, author) values ($1, $2, $3, $4)
     returning ${VERSION}`,
    [organizationId, version, text, author],
  );
  return rows[0] as AgreementVersion;
}

export type AcceptedAgreement = AgreementAcceptance & { readonly text: string | null };

/** Returns the newest version that a collaborator accepted, with its text, or undefined if they accepted none. */
export async function findAcceptedAgreement(
  { connection, organizationId }: Tenant,
  collaboratorId: CollaboratorId,
): Promise<AcceptedAgreement | undefined> {
  const { rows } = await connection.query<AcceptedAgreement>(
    `select a.version, a.accepted_at as "acceptedAt", v.text
     from agreement_acceptances a
     join agreement_versions v on v.organization_id = a.organization_id and v.version = a.version
     where a.organization_id = $1 and a.collaborator_id = $2 order by a.version desc limit 1`,
    [organizationId, collaboratorId],
  );
  return rows[0];
}

/** Returns whether a collaborator accepted a version. */
export async function hasAccepted(
  { connection, organizationId }: Tenant,
  collaboratorId: CollaboratorId,
  version: number,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `select from agreement_acceptances where organization_id = $1 and collaborator_id = $2 and version = $3`,
    [organizationId, collaboratorId, version],
  );
  return rowCount === 1;
}

/**
 * Returns the version in force if a collaborator hasn't accepted it yet, or null. Until they accept it, they can read
 * everything, but can't create links or request payouts.
 */
export async function findAgreementToAccept(tenant: Tenant, collaboratorId: CollaboratorId): Promise<number | null> {
  const version = await findAgreementInForce(tenant);
  return version === undefined || (await hasAccepted(tenant, collaboratorId, version)) ? null : version;
}

/** Records that a collaborator accepted a version. Repeating the call keeps the time of the first acceptance. */
export async function insertAcceptance(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorId: CollaboratorId,
  version: number,
): Promise<void> {
  await connection.query(
    `insert into agreement_acceptances (organization_id, collaborator_id, version) values ($1, $2, $3)
     on conflict do nothing`,
    [organizationId, collaboratorId, version],
  );
}
