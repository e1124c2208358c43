import type { CollaboratorId } from '#core/ids.ts';
import {
  checkedTaxDetails,
  type GivenTaxDetails,
  isSameTaxDetails,
  type MaskedField,
  type TaxFault,
  unmaskedTaxDetails,
} from '../domain/tax-details.ts';
import { findCollaboratorFields } from '../store/collaborators.ts';
import { queueSecurityNotice } from './queue-notices.ts';
import { findTaxDetails, saveTaxDetails } from '../store/tax-details.ts';
import { taxDetailsChangedEmail } from '../wording/emails.ts';
import { mailboxOf } from '#access/domain/person.ts';
import { lockConfiguration } from '#organizations/store/configuration.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Connection, Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';
import { attemptsOf } from '#platform/throttles/throttle.ts';

export type TaxDetailsChange =
  | { readonly kind: 'changed' }
  | { readonly kind: 'unknown' | 'deleted' }
  /** Masked values that don't match the collaborator's stored values. */
  | { readonly kind: 'masked'; readonly fields: readonly MaskedField[] }
  | { readonly kind: 'faulty'; readonly faults: readonly TaxFault[] }
  | Throttled;

/**
 * Changes a collaborator's tax details. Null removes them. Reports each change to the collaborator by email, if the
 * collaborator has an address, because the change may be fraudulent. Sending the same details again changes nothing.
 */
export function changeTaxDetails(
  tenant: Tenant<Database>,
  secrets: SecretBox,
  collaboratorId: CollaboratorId,
  given: GivenTaxDetails | null,
): Promise<TaxDetailsChange> {
  return inTenantTransaction(tenant, async (tenant): Promise<TaxDetailsChange> => {
    // An erasure takes the same lock, so the details of an erased collaborator are not stored again.
    await lockConfiguration(tenant);
    const fields = await findCollaboratorFields(tenant, collaboratorId);
    if (fields === undefined) return { kind: 'unknown' };
    if (fields.status === 'deleted') return { kind: 'deleted' };
    const before = await findTaxDetails(tenant, secrets, collaboratorId);
    const unmasked = given && unmaskedTaxDetails(given, before);
    if (unmasked && 'masked' in unmasked) return { kind: 'masked', fields: unmasked.masked };
    const checked = unmasked && checkedTaxDetails(unmasked.details);
    if (checked?.kind === 'faulty') return checked;
    const details = checked && checked.details;
    if (isSameTaxDetails(before, details)) return { kind: 'changed' };
    const throttled = await countChange(tenant, secrets, collaboratorId, fields.email);
    if (throttled !== undefined) return throttled;
    await saveTaxDetails(tenant, secrets, collaboratorId, details);
    await queueSecurityNotice(tenant, secrets, fields, taxDetailsChangedEmail);
    return { kind: 'changed' };
  });
}

/** Counts a change of tax details against its limits. Returns the refusal if a limit is exceeded. */
function countChange(
  { connection, organizationId }: Tenant<Connection>,
  secrets: SecretBox,
  collaboratorId: CollaboratorId,
  email: string | null,
): Promise<Throttled | undefined> {
  return takeThrottles(
    connection,
    attemptsOf(secrets, 'tax details of a collaborator', `${organizationId} ${collaboratorId}`),
    // Only changes for collaborators with an address send an email.
    ...(email === null
      ? []
      : [
          attemptsOf(secrets, 'tax details of a mailbox', `${organizationId} ${mailboxOf(email)}`),
          attemptsOf(secrets, 'tax details of an organization', String(organizationId)),
        ]),
  );
}
