import { type CollaboratorStatus, canEnterPortal } from '#collaborators/domain/collaborator.ts';
import type { CollaboratorId, SessionId } from '#core/ids.ts';
import { maskedDetails, type PayoutDetails } from '#collaborators/domain/payout-details.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findPayoutDetails } from '#collaborators/store/payout-details.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Instant } from '#core/instant.ts';
import type { ProgramGoal } from '../../domain/program-goal.ts';
import { findAgreementToAccept } from '../agreements.ts';
import { readProgramGoals } from './program-goals.ts';
import { type OwnProgram, readOwnPrograms } from './portal-programs.ts';
import { readTimeZone } from '#organizations/store/read/organizations.ts';
import { type OpenPortal, readPortalOf } from '#organizations/store/read/portals.ts';

export type PortalSession = {
  readonly collaborator: {
    readonly id: CollaboratorId;
    readonly name: string;
    readonly email: string | null;
    readonly status: CollaboratorStatus;
  };
  readonly portal: OpenPortal;
  /** The time zone of days and times in the portal. */
  readonly timeZone: string;
  readonly programs: readonly (OwnProgram & { readonly goals: readonly ProgramGoal[] })[];
  /** The version of the partner agreement that the collaborator must accept, or null. */
  readonly agreementToAccept: number | null;
  /** Whether a person of the merchant sees the portal as this collaborator. */
  readonly isPreview: boolean;
  readonly expiresAt: Date;
};

/** The maximum number of programs shown to a collaborator. */
const MAX_SHOWN = 50;

/**
 * Returns the portal session of a collaborator. Returns undefined if the session has ended, the collaborator can no
 * longer log in, or the portal is closed.
 */
export async function readPortalSession(
  tenant: Tenant,
  collaboratorId: CollaboratorId,
  sessionId: SessionId,
): Promise<PortalSession | undefined> {
  const { rows } = await tenant.connection.query<
    PortalSession['collaborator'] & Pick<PortalSession, 'isPreview' | 'expiresAt'>
  >(
    `select c.id, c.name, c.email, c.status, s.previewed_from is not null as "isPreview", s.expires_at as "expiresAt"
     from sessions s join collaborators c on c.organization_id = s.organization_id and c.id = s.collaborator_id
     where s.organization_id = $1 and s.id = $2 and s.collaborator_id = $3`,
    [tenant.organizationId, sessionId, collaboratorId],
  );
  const portal = await readPortalOf(tenant);
  if (rows[0] === undefined || portal === undefined || !canEnterPortal(rows[0].status)) return undefined;
  const { isPreview, expiresAt, ...collaborator } = rows[0];
  const own = await readOwnPrograms(tenant, collaboratorId, MAX_SHOWN);
  const goals = await readProgramGoals(tenant, collaboratorId, own, (Date.now() * 1_000) as Instant);
  const programs = own.map((program, n) => ({ ...program, goals: goals[n] ?? [] }));
  const agreementToAccept = await findAgreementToAccept(tenant, collaboratorId);
  const timeZone = await readTimeZone(tenant);
  return { collaborator, portal, timeZone, programs, agreementToAccept, isPreview, expiresAt };
}

export type PortalAccount = {
  readonly name: string;
  readonly email: string | null;
  readonly payoutDetails: (PayoutDetails & { readonly updatedAt: Date }) | null;
};

/** Returns a collaborator's own name, email address and masked payout details, or undefined if the id is unknown. */
export async function readPortalAccount(
  tenant: Tenant,
  secrets: SecretBox,
  collaboratorId: CollaboratorId,
): Promise<PortalAccount | undefined> {
  const { rows } = await tenant.connection.query<Pick<PortalAccount, 'name' | 'email'>>(
    'select name, email from collaborators where organization_id = $1 and id = $2',
    [tenant.organizationId, collaboratorId],
  );
  const details = await findPayoutDetails(tenant, secrets, collaboratorId);
  if (rows[0] === undefined) return undefined;
  const payoutDetails = details === undefined ? null : { ...maskedDetails(details), updatedAt: details.updatedAt };
  return { ...rows[0], payoutDetails };
}
