import type { OrganizationId, PersonId } from '#core/ids.ts';
import { readSignedLink, signLink } from './signed-link.ts';

/** A person whose address a link confirms. */
export type ConfirmedPerson = { readonly organizationId: OrganizationId; readonly personId: PersonId };

const PURPOSE = 'confirm address';

/**
 * Returns the signed token of a link that confirms a person's address. The token doesn't contain the address, because a
 * person's address never changes.
 */
export function confirmationToken(key: Uint8Array, { organizationId, personId }: ConfirmedPerson): string {
  return signLink(key, PURPOSE, [organizationId, personId]);
}

/** Returns the person in a token, or undefined if the token was not signed with the given key. */
export function readConfirmationToken(key: Uint8Array, token: string): ConfirmedPerson | undefined {
  const values = readSignedLink(key, PURPOSE, token);
  return values && { organizationId: Number(values[0]) as OrganizationId, personId: Number(values[1]) as PersonId };
}
