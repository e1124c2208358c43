import type { CollaboratorId, OrganizationId } from '#domain/ids.ts';
import { payoutDetailsChangedMail } from '#domain/mail.ts';
import { maskedDetails, type PayoutDetails } from '#domain/payout-details.ts';
import { type CollaboratorFields, findCollaboratorFields, updateCollaborator } from '#store/collaborators.ts';
import { lockConfiguration } from '#store/configuration.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { findPayoutDetails, savePayoutDetails } from '#store/payout-details.ts';
import { readPortalSettings } from '#store/read/portals.ts';
import type { SecretBox } from '#store/secret-box.ts';
import { postMail } from './post-mail.ts';

export type PortalAccountChange = {
  readonly name: string | undefined;
  /** Null: no more. */
  readonly payoutDetails: PayoutDetails | null | undefined;
};

/** It is told for so long: who sees it a day later still wants to know. */
const TOLD_SECONDS = 3 * 86_400;

/** Changes what a collaborator says of themselves. Other payout details are told by mail, lest somebody else has given them. */
export function changePortalAccount(
  database: Database,
  secrets: SecretBox,
  organizationId: OrganizationId,
  collaboratorId: CollaboratorId,
  { name, payoutDetails }: PortalAccountChange,
): Promise<void> {
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    const fields = await findCollaboratorFields(connection, organizationId, collaboratorId);
    if (fields === undefined) return;
    if (name !== undefined && name !== fields.name) {
      await updateCollaborator(connection, organizationId, collaboratorId, { ...fields, name });
    }
    if (payoutDetails === undefined) return;
    const before = await findPayoutDetails(connection, secrets, organizationId, collaboratorId);
    // A page may send back what it was shown, which is no account.
    if (isSame(before, payoutDetails) || isSame(before && maskedDetails(before), payoutDetails)) return;
    await savePayoutDetails(connection, secrets, organizationId, collaboratorId, payoutDetails);
    await tell(connection, secrets, organizationId, fields);
  });
}

function isSame(one: PayoutDetails | undefined, other: PayoutDetails | null): boolean {
  if (one === undefined || other === null) return one === undefined && other === null;
  return one.method === other.method && one.holder === other.holder && one.account === other.account;
}

async function tell(
  connection: Connection,
  secrets: SecretBox,
  organizationId: OrganizationId,
  { email, name }: CollaboratorFields,
): Promise<void> {
  if (email === null) return;
  const { name: portal, supportEmail } = await readPortalSettings(connection, organizationId);
  const written = payoutDetailsChangedMail({ portal, name, supportEmail });
  await postMail(connection, secrets, organizationId, { to: email, ...written }, TOLD_SECONDS);
}
