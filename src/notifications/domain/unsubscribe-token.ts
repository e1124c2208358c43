import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CollaboratorId, OrganizationId } from '#core/ids.ts';
import { PARTNER_EMAIL_KINDS, type PartnerEmailKind } from './partner-email.ts';

/** The subscription that an unsubscribe link ends: one kind of email from an organization to a collaborator. */
export type Subscription = {
  readonly organizationId: OrganizationId;
  readonly collaboratorId: CollaboratorId;
  readonly kind: PartnerEmailKind;
};

const MAC_BYTES = 16;

/** Returns the signed token of an unsubscribe link. It never expires, because people keep emails. */
export function unsubscribeToken(key: Uint8Array, { organizationId, collaboratorId, kind }: Subscription): string {
  const signed = `${organizationId}.${collaboratorId}.${kind}`;
  return `${signed}.${macOf(key, signed).toString('base64url')}`;
}

/** Returns the subscription in a token, or undefined if the token was not signed with this key. */
export function readUnsubscribeToken(key: Uint8Array, token: string): Subscription | undefined {
  const [organizationId = '', collaboratorId = '', kind = '', mac = ''] = token.split('.');
  const given = Buffer.from(mac, 'base64url');
  const known = PARTNER_EMAIL_KINDS.find((each) => each === kind);
  if (known === undefined || given.length !== MAC_BYTES) return undefined;
  if (!timingSafeEqual(given, macOf(key, `${organizationId}.${collaboratorId}.${kind}`))) return undefined;
  return {
    organizationId: Number(organizationId) as OrganizationId,
    collaboratorId: Number(collaboratorId) as CollaboratorId,
    kind: known,
  };
}

function macOf(key: Uint8Array, signed: string): Buffer {
  return createHmac('sha256', key).update(`unsubscribe\n${signed}`).digest().subarray(0, MAC_BYTES);
}
