import type { CollaboratorId } from '#core/ids.ts';
import { payoutDetailsChangedEmail } from '../wording/emails.ts';
import {
  checkedDetails,
  type DetailsFault,
  type PayoutDetails,
  unmaskedDetails,
} from '#collaborators/domain/payout-details.ts';
import { attemptsOf } from '#platform/throttles/throttle.ts';
import { findCollaboratorFields, updateCollaborator } from '#collaborators/store/collaborators.ts';
import { lockConfiguration } from '#organizations/store/configuration.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { queueSecurityNotice } from '#collaborators/commands/queue-notices.ts';
import { findPayoutDetails, savePayoutDetails } from '#collaborators/store/payout-details.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';

export type PortalAccountChange = {
  readonly name: string | undefined;
  readonly payoutDetails: PayoutDetails | null | undefined;
};

export type PortalAccountChangeOutcome =
  | { readonly kind: 'changed' }
  /** The given account is masked, and doesn't match the collaborator's current account. */
  | { readonly kind: 'masked' }
  /** The payout details lack a field of their method, or a field is invalid. */
  | { readonly kind: 'faulty'; readonly faults: readonly DetailsFault[] }
  | Throttled;

/**
 * Changes a collaborator's own name and payout details. Changes nothing if the collaborator was deleted in the
 * meantime. Reports a change of payout details by email, because it may be fraudulent.
 */
export function changePortalAccount(
  tenant: Tenant<Database>,
  secrets: SecretBox,
  collaboratorId: CollaboratorId,
  { name, payoutDetails }: PortalAccountChange,
): Promise<PortalAccountChangeOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    const owner = `${tenant.organizationId} ${collaboratorId}`;
    const fields = await findCollaboratorFields(tenant, collaboratorId);
    // If the collaborator was erased in the meantime, their data must not be stored again.
    if (fields === undefined || fields.status === 'deleted') return CHANGED;
    const before = await findPayoutDetails(tenant, secrets, collaboratorId);
    // The portal page may send back the masked account that it displays.
    const unmasked = payoutDetails && unmaskedDetails(payoutDetails, before);
    if (payoutDetails && unmasked === undefined) return { kind: 'masked' };
    const checked = unmasked && checkedDetails(unmasked);
    if (checked?.kind === 'faulty') return checked;
    const details = checked ? checked.details : payoutDetails === null ? null : undefined;
    const isNew = details !== undefined && !isSame(before, details);
    if (isNew) {
      const changes = attemptsOf(secrets, 'payout details of a collaborator', owner);
      const throttled = await takeThrottles(tenant.connection, changes);
      if (throttled !== undefined) return throttled;
    }
    if (name !== undefined && name !== fields.name) {
      const names = attemptsOf(secrets, 'name of a collaborator', owner);
      const throttled = await takeThrottles(tenant.connection, names);
      if (throttled !== undefined) return throttled;
      await updateCollaborator(tenant, collaboratorId, { ...fields, name });
    }
    if (!isNew) return CHANGED;
    await savePayoutDetails(tenant, secrets, collaboratorId, details);
    await queueSecurityNotice(tenant, secrets, fields, payoutDetailsChangedEmail);
    return CHANGED;
  });
}

const CHANGED = { kind: 'changed' } as const;

function isSame(one: PayoutDetails | undefined, other: PayoutDetails | null): boolean {
  if (one === undefined || other === null) return one === undefined && other === null;
  return (
    one.method === other.method &&
    one.holder === other.holder &&
    one.account === other.account &&
    one.bankCode === other.bankCode &&
    one.accountType === other.accountType
  );
}
