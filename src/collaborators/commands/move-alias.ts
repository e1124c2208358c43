import { aliasKey, decideMove } from '../domain/alias.ts';
import type { AliasId, CollaboratorId } from '#core/ids.ts';
import { codeMovedEmail } from '../wording/emails.ts';
import { addressOf } from '#access/domain/person.ts';
import { endAlias, findAliasOwners, insertAlias } from '../store/aliases.ts';
import { type CollaboratorFields, findCollaboratorFields } from '../store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Connection, type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type AliasResource, aliases } from '../store/read/aliases.ts';
import { readOrganization } from '#organizations/store/read/organizations.ts';
import { readExisting, readOne } from '#platform/postgres/lists/page.ts';
import { readPortalOf } from '#organizations/store/read/portals.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { queueNotices } from './queue-notices.ts';

export type MoveRequest = { readonly from: CollaboratorId; readonly to: CollaboratorId };

export type AliasMoveOutcome =
  | { readonly kind: 'moved'; readonly before: AliasResource; readonly alias: AliasResource }
  | { readonly kind: 'unknown-alias' | 'unknown-collaborator' | 'deleted-collaborator' }
  /** `owner` is the name of the current owner of the code, or undefined if the code is retired. */
  | { readonly kind: 'not-theirs'; readonly owner: string | undefined };

/**
 * Moves an alias code to another collaborator. Later reports count for the new owner. Earlier reports still count for
 * the old owner, whom `emailLoser` notifies. Repeating a move changes nothing. Returns `not-theirs` if the code doesn't
 * belong to `from`.
 */
export function moveAlias(
  tenant: Tenant<Database>,
  secrets: SecretBox,
  id: AliasId,
  { from, to }: MoveRequest,
): Promise<AliasMoveOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    const before = await readOne(tenant, aliases, { id });
    if (before === undefined) return { kind: 'unknown-alias' };
    const receiver = await findCollaboratorFields(tenant, to);
    if (receiver === undefined) return { kind: 'unknown-collaborator' };
    const codeKey = aliasKey(before.code);
    const owned = (await findAliasOwners(tenant, before)).find(({ code }) => aliasKey(code) === codeKey);
    const move = decideMove({ holder: before.collaboratorId, owner: owned?.collaboratorId }, { from, to });
    if (move === 'not-theirs') return { kind: 'not-theirs', owner: owned?.collaboratorName };
    if (move === 'moved')
      return { kind: 'moved', before, alias: await readExisting(tenant, aliases, { id: owned?.id }) };
    if (receiver.status === 'deleted') return { kind: 'deleted-collaborator' };
    const version = await changeConfiguration(tenant);
    await endAlias(tenant, id, version);
    const newId = await insertAlias(tenant, to, before, version);
    const loser = await findCollaboratorFields(tenant, from);
    if (loser !== undefined) await emailLoser(tenant, secrets, loser, before.code);
    return { kind: 'moved', before, alias: await readExisting(tenant, aliases, { id: newId }) };
  });
}

/** Notifies the old owner of a moved code by email, if they have an email address and are not deleted. */
async function emailLoser(
  tenant: Tenant<Connection>,
  secrets: SecretBox,
  { name, email, status }: CollaboratorFields,
  code: string,
): Promise<void> {
  if (email === null || status === 'deleted') return;
  const portal = await readPortalOf(tenant);
  const sender = portal?.name ?? (await readOrganization(tenant)).name;
  const written = codeMovedEmail({ sender, name, code, supportEmail: portal?.supportEmail ?? null });
  await queueNotices(tenant, secrets, [{ to: addressOf(email), ...written }]);
}
