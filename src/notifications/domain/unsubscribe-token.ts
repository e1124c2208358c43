import type { CollaboratorId, OrganizationId, PersonId } from '#core/ids.ts';
import { MUTABLE_KINDS, type MutableKind } from './partner-email.ts';
import { readSignedLink, signLink } from './signed-link.ts';

/** The subscription of a collaborator to one kind of email from an organization. */
export type PartnerSubscription = {
  readonly organizationId: OrganizationId;
  readonly collaboratorId: CollaboratorId;
  readonly kind: MutableKind;
};

/** The subscription of a person to the digest of their organization. */
export type DigestSubscription = {
  readonly organizationId: OrganizationId;
  readonly personId: PersonId;
  readonly kind: 'digest';
};

/** The subscription that an unsubscribe link ends. */
export type Subscription = PartnerSubscription | DigestSubscription;

const PURPOSE = 'unsubscribe';

/** Returns the signed token of an unsubscribe link. */
export function unsubscribeToken(key: Uint8Array, subscription: Subscription): string {
  const { organizationId, kind } = subscription;
  const id = subscription.kind === 'digest' ? subscription.personId : subscription.collaboratorId;
  return signLink(key, PURPOSE, [organizationId, id, kind]);
}

/** Returns the subscription in a token, or undefined if the token was not signed with the given key. */
export function readUnsubscribeToken(key: Uint8Array, token: string): Subscription | undefined {
  const [organization, id, kind] = readSignedLink(key, PURPOSE, token) ?? [];
  const organizationId = Number(organization) as OrganizationId;
  if (kind === 'digest') return { organizationId, personId: Number(id) as PersonId, kind };
  const known = MUTABLE_KINDS.find((each) => each === kind);
  return known && { organizationId, collaboratorId: Number(id) as CollaboratorId, kind: known };
}
