import type { CollaboratorId, OrganizationId } from '#domain/ids.ts';
import { payoutDetailsChangedMail } from '#domain/mail.ts';
import { type PayoutDetails, unmaskedDetails } from '#domain/payout-details.ts';
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

/** `masked`: the account is the end of one that is theirs no more, or never was. */
export type PortalAccountChanging = 'changed' | 'masked';

/** It is told for so long: who sees it a day later still wants to know. */
const TOLD_SECONDS = 3 * 86_400;

/** Changes what a collaborator says of themselves. Other payout details are told by mail, lest somebody else has given them. */
export function changePortalAccount(
  database: Database,
  secrets: SecretBox,
  organizationId: OrganizationId,
  collaboratorId: CollaboratorId,
  { name, payoutDetails }: PortalAccountChange,
): Promise<PortalAccountChanging> {
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    const fields = await findCollaboratorFields(connection, organizationId, collaboratorId);
    // Erased a moment ago, perhaps: nothing of them may come back.
    if (fields === undefined || fields.status === 'deleted') return 'changed';
    const before = await findPayoutDetails(connection, secrets, organizationId, collaboratorId);
    // A page may send back what it was shown, which is no account.
    const details = payoutDetails && unmaskedDetails(payoutDetails, before);
    if (payoutDetails && details === undefined) return 'masked';
    if (name !== undefined && name !== fields.name) {
      await updateCollaborator(connection, organizationId, collaboratorId, { ...fields, name });
    }
    if (details === undefined || isSame(before, details)) return 'changed';
    await savePayoutDetails(connection, secrets, organizationId, collaboratorId, details);
    await tell(connection, secrets, organizationId, fields);
    return 'changed';
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
