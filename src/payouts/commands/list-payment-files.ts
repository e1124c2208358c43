import { filesOf, type PaymentFile, type PlacedPayout, placeOf } from '../domain/payment-file.ts';
import { findPayerAccount } from '../store/payer-accounts.ts';
import { fulfillments } from '../store/read/fulfillments.ts';
import { readPayees } from '../store/read/payees.ts';
import type { FulfillmentId } from '#core/ids.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { type Database, inSnapshot } from '#platform/postgres/database.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type PaymentFiles = {
  readonly hasPayerAccount: boolean;
  readonly files: readonly PaymentFile[];
  /** The payouts that are in none of the formats `sepa`, `paypal` and `wise`. */
  readonly leftOut: readonly PlacedPayout[];
};

/**
 * Returns the payment files of a run's unpaid payouts, or of the paid payouts of a complete run. Returns undefined if
 * the run doesn't exist.
 */
export function listPaymentFiles(
  { connection, organizationId }: Tenant<Database>,
  secrets: SecretBox,
  runId: FulfillmentId,
): Promise<PaymentFiles | undefined> {
  return inSnapshot(connection, async (connection) => {
    const tenant = { connection, organizationId };
    if ((await readOne(tenant, fulfillments, { id: runId })) === undefined) return undefined;
    const placed: PlacedPayout[] = [];
    for await (const payees of readPayees(tenant, secrets, runId)) {
      for (const payee of payees) {
        const { payoutId, collaboratorId, amount, downloadedAs } = payee;
        placed.push({ payoutId, collaboratorId, amount, downloadedAs, ...placeOf(payee) });
      }
    }
    return {
      hasPayerAccount: (await findPayerAccount(tenant, secrets)) !== undefined,
      files: filesOf(placed),
      leftOut: placed.filter(({ reason }) => reason !== null),
    };
  });
}
