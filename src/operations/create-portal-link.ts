import { aliasKey } from '#domain/alias.ts';
import type { CollaboratorStatus } from '#domain/collaborator.ts';
import type { AliasId, CollaboratorId, OrganizationId } from '#domain/ids.ts';
import { codeOfName, codeWithSubId, mainCodeOf, MAX_LINKS } from '#domain/portal-link.ts';
import { findCodeOwners, insertAlias } from '#store/aliases.ts';
import { type CollaboratorFields, findCollaboratorFields } from '#store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#store/configuration.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { type PortalCode, readPortalCodes } from '#store/read/portal-links.ts';
import { findFreeCode } from './confirm-sign-up.ts';

export type PortalLinkCreation =
  /** `codes`: all that they have, this one among them. */
  | { readonly kind: 'created'; readonly id: AliasId; readonly codes: readonly PortalCode[] }
  | { readonly kind: 'forbidden'; readonly status: CollaboratorStatus }
  | { readonly kind: 'taken' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'too-many' };

/**
 * Makes a collaborator a link of their own, with a sub-id or, where they have none at all, without. Never a code that
 * somebody else has or had: what came by it was theirs.
 */
export function createPortalLink(
  database: Database,
  organizationId: OrganizationId,
  collaboratorId: CollaboratorId,
  subId: string | undefined,
): Promise<PortalLinkCreation> {
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    const collaborator = await findCollaboratorFields(connection, organizationId, collaboratorId);
    if (collaborator?.status !== 'active') return { kind: 'forbidden', status: collaborator?.status ?? 'deleted' };
    const codes = await readPortalCodes(connection, organizationId, collaboratorId, MAX_LINKS);
    const code = await wantedCode(connection, organizationId, collaborator, codes, subId);
    if (code === undefined) return { kind: 'too-long' };
    const known = codes.find((each) => each.type === 'tracking' && aliasKey(each.code) === aliasKey(code));
    if (known !== undefined) return { kind: 'created', id: known.id, codes };
    if (codes.length >= MAX_LINKS) return { kind: 'too-many' };
    const owners = await findCodeOwners(connection, organizationId, 'tracking', [code]);
    if ([...(owners.get(aliasKey(code)) ?? [])].some((owner) => owner !== collaboratorId)) return { kind: 'taken' };
    const version = await changeConfiguration(connection, organizationId);
    const id = await insertAlias(connection, organizationId, collaboratorId, { type: 'tracking', code }, version);
    return { kind: 'created', id, codes: await readPortalCodes(connection, organizationId, collaboratorId, MAX_LINKS) };
  });
}

async function wantedCode(
  connection: Connection,
  organizationId: OrganizationId,
  { name }: CollaboratorFields,
  codes: readonly PortalCode[],
  subId: string | undefined,
): Promise<string | undefined> {
  const links = codes.filter(({ type }) => type === 'tracking').map(({ code }) => code);
  const main = mainCodeOf(links) ?? (await findFreeCode(connection, organizationId, codeOfName(name)));
  return subId === undefined ? main : codeWithSubId(main, subId);
}
