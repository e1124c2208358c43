import { aliasKey } from '#collaborators/domain/alias.ts';
import type { CollaboratorStatus } from '#collaborators/domain/collaborator.ts';
import type { AliasId, CollaboratorId } from '#core/ids.ts';
import { codeOfName, codeWithSubId, MAX_LINKS } from '../domain/portal-link.ts';
import { attemptsOf } from '#platform/throttles/throttle.ts';
import { findCodeOwners, insertAlias } from '#collaborators/store/aliases.ts';
import { findCollaboratorFields } from '#collaborators/store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type PortalCode, readPortalCodes } from '../store/read/portal-links.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { findFreeCode } from './confirm-sign-up.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';

export type PortalLinkCreation =
  /**
   * `id` is the id of the link's alias. `codes` contains the collaborator's active links and coupons, at most
   * MAX_LINKS.
   */
  | { readonly kind: 'created' | 'existing'; readonly id: AliasId; readonly codes: readonly PortalCode[] }
  | { readonly kind: 'forbidden'; readonly status: CollaboratorStatus }
  | { readonly kind: 'taken' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'too-many' }
  | Throttled;

/**
 * Creates a collaborator's link with the sub-id `subId`, or their main link if `subId` is absent. Returns `existing` if
 * the collaborator already has the link. Returns `taken` if `pageUrl` is given, but the existing link opens another
 * page. Also returns `taken` if another collaborator has or had the code, because the code's referrals belong to that
 * collaborator.
 */
export function createPortalLink(
  tenant: Tenant<Database>,
  secrets: SecretBox,
  collaboratorId: CollaboratorId,
  { subId, pageUrl = null }: { readonly subId: string | undefined; readonly pageUrl?: string | null },
): Promise<PortalLinkCreation> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    const collaborator = await findCollaboratorFields(tenant, collaboratorId);
    if (collaborator?.status !== 'active') return { kind: 'forbidden', status: collaborator?.status ?? 'deleted' };
    const codes = await readPortalCodes(tenant, collaboratorId, MAX_LINKS);
    const main = codes.find(({ type, mainCode }) => type === 'tracking' && mainCode === null);
    const mainCode = main?.code ?? (await findFreeCode(tenant, codeOfName(collaborator.name)));
    const code = subId === undefined ? mainCode : codeWithSubId(mainCode, subId);
    if (code === undefined) return { kind: 'too-long' };
    const known = codes.find((each) => each.type === 'tracking' && aliasKey(each.code) === aliasKey(code));
    if (known !== undefined) {
      return known.pageUrl === pageUrl || pageUrl === null
        ? { kind: 'existing', id: known.id, codes }
        : { kind: 'taken' };
    }
    // A link with a sub-id needs its main link, so a missing main link is created too.
    const created = main === undefined && subId !== undefined ? [mainCode, code] : [code];
    if (codes.length + created.length > MAX_LINKS) return { kind: 'too-many' };
    const owners = await findCodeOwners(tenant, 'tracking', created);
    if ([...owners.values()].some((some) => [...some].some((owner) => owner !== collaboratorId))) {
      return { kind: 'taken' };
    }
    const links = attemptsOf(secrets, 'new link of a collaborator', `${tenant.organizationId} ${collaboratorId}`);
    const throttled = await takeThrottles(tenant.connection, links);
    if (throttled !== undefined) return throttled;
    const version = await changeConfiguration(tenant);
    const ids: AliasId[] = [];
    for (const each of created) {
      const alias = { type: 'tracking', code: each, pageUrl: each === code ? pageUrl : null };
      ids.push(await insertAlias(tenant, collaboratorId, alias, version));
    }
    return {
      kind: 'created',
      id: ids.at(-1) as AliasId,
      codes: await readPortalCodes(tenant, collaboratorId, MAX_LINKS),
    };
  });
}
