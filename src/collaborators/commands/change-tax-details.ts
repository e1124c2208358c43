import type { CollaboratorId } from '#core/ids.ts';
import {
  checkedTaxDetails,
  type GivenTaxDetails,
  isSameTaxDetails,
  type MaskedField,
  type TaxFault,
  unmaskedTaxDetails,
} from '../domain/tax-details.ts';
import { type CollaboratorFields, findCollaboratorFields } from '../store/collaborators.ts';
import { findTaxDetails, saveTaxDetails } from '../store/tax-details.ts';
import { taxDetailsChangedEmail } from '../wording/emails.ts';
import { lockConfiguration } from '#organizations/store/configuration.ts';
import { readPortalSettings } from '#organizations/store/read/portals.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { queueEmail } from '#platform/email/queue-email.ts';
import type { Connection, Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';
import { throttleBucket, THROTTLES } from '#platform/throttles/throttle.ts';

export type TaxDetailsChange =
  | { readonly kind: 'changed' }
  | { readonly kind: 'unknown' | 'deleted' }
  /** Masked values that don't match the collaborator's stored values. */
  | { readonly kind: 'masked'; readonly fields: readonly MaskedField[] }
  | { readonly kind: 'faulty'; readonly faults: readonly TaxFault[] }
  | Throttled;

const CHANGES = 'tax details of a collaborator';

/**
 * How long the email about changed tax details is retried before it expires, in seconds. The collaborator should receive
 * it even if it is days late.
 */
const NOTICE_SECONDS = 3 * 86_400;

/**
 * Changes a collaborator's tax details. Null removes them. Reports each change to the collaborator by email, because it
 * may be fraudulent. Sending the same details again changes nothing.
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
    const changes = throttleBucket(secrets.hashKey, CHANGES, `${tenant.organizationId} ${collaboratorId}`);
    const throttled = await takeThrottles(tenant.connection, [changes, THROTTLES[CHANGES]]);
    if (throttled !== undefined) return throttled;
    await saveTaxDetails(tenant, secrets, collaboratorId, details);
    await notifyOwner(tenant, secrets, fields);
    return { kind: 'changed' };
  });
}

async function notifyOwner(
  tenant: Tenant<Connection>,
  secrets: SecretBox,
  { email, name }: CollaboratorFields,
): Promise<void> {
  if (email === null) return;
  const { name: sender, supportEmail } = await readPortalSettings(tenant);
  const written = taxDetailsChangedEmail({ sender, name, supportEmail });
  await queueEmail(tenant, secrets, { to: email, ...written }, NOTICE_SECONDS);
}
