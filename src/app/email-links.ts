import { confirmAddress } from '#access/store/people.ts';
import { readConfirmationToken } from '#notifications/domain/confirmation-token.ts';
import { readUnsubscribeToken } from '#notifications/domain/unsubscribe-token.ts';
import { saveDigestFrequency } from '#notifications/store/digests.ts';
import { muteKind } from '#notifications/store/partner-emails.ts';
import { readOrganization } from '#organizations/store/read/organizations.ts';
import { readPortalSettings } from '#organizations/store/read/portals.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { type Database, inVisitorTransaction } from '#platform/postgres/database.ts';
import type { ConfirmationActions } from './pages/confirm-address.ts';
import type { UnsubscribeActions } from './pages/unsubscribe.ts';

/**
 * Returns the functions for the links in emails that work without a login: to unsubscribe, and to confirm an address.
 */
export function emailLinks(
  database: Database,
  { hashKey }: SecretBox,
): { readonly unsubscribing: UnsubscribeActions; readonly confirming: ConfirmationActions } {
  return {
    unsubscribing: {
      find: async (token) => {
        const subscription = readUnsubscribeToken(hashKey, token);
        if (subscription === undefined) return undefined;
        const tenant = { connection: database, organizationId: subscription.organizationId };
        const { name } = await (subscription.kind === 'digest' ? readOrganization(tenant) : readPortalSettings(tenant));
        return { subscription, name };
      },
      end: (subscription) =>
        inVisitorTransaction(database, async (connection) => {
          await (subscription.kind === 'digest'
            ? saveDigestFrequency({ connection, ...subscription }, subscription.personId, 'never')
            : muteKind(connection, subscription));
          return true;
        }),
    },
    confirming: {
      isValid: (token) => readConfirmationToken(hashKey, token) !== undefined,
      confirm: async (token) => {
        const person = readConfirmationToken(hashKey, token);
        if (person === undefined) return false;
        return inVisitorTransaction(database, (connection) =>
          confirmAddress({ connection, ...person }, person.personId),
        );
      },
    },
  };
}
