import { type FileFormat, isInFile, type PayableTo, placeOf, ROWS_OF_FILE } from '../domain/payment-file.ts';
import type { PayerAccount } from '../domain/sepa-file.ts';
import { findPayerAccount } from '../store/payer-accounts.ts';
import { lockRun } from '../store/fulfillments.ts';
import { saveDownload } from '../store/payouts.ts';
import { type PayoutRange, readPayees } from '../store/read/payees.ts';
import type { FulfillmentId } from '#core/ids.ts';
import type { Mode } from '#core/mode.ts';
import { insertAuditEntry } from '#organizations/store/audit.ts';
import { readOrganization } from '#organizations/store/read/organizations.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';

export type PaymentFileRequest = PayoutRange & { readonly format: FileFormat };

export type PaymentFileContent = {
  readonly payees: readonly PayableTo[];
  /** The organization's mode. Files of a test organization are marked as not for a bank. */
  readonly mode: Mode;
  /** The name of the merchant, for the payment descriptions. */
  readonly merchant: string;
  /** The merchant's time zone. */
  readonly timeZone: string;
  readonly payer: PayerAccount | undefined;
};

export type PaymentFileReading =
  | { readonly kind: 'read'; readonly content: PaymentFileContent }
  /** The file is a SEPA file, and the merchant's account is not set or can't be decrypted. */
  | { readonly kind: 'no-payer' }
  | { readonly kind: 'empty' | 'too-many' | 'unknown' };

/**
 * Returns the payees of one payment file with their payout details. Records the download in the audit log. Also records
 * the format for each payout, unless the format is `all`. Records nothing if the file can't be made.
 */
export function readPaymentFile(
  tenant: Tenant<Database>,
  secrets: SecretBox,
  author: string,
  runId: FulfillmentId,
  request: PaymentFileRequest,
): Promise<PaymentFileReading> {
  const { format } = request;
  return inTenantTransaction(tenant, async (tenant): Promise<PaymentFileReading> => {
    // Downloads of a run wait for each other, so that each download sees the formats of earlier downloads.
    if ((await lockRun(tenant, runId)) === undefined) return { kind: 'unknown' };
    const payees: PayableTo[] = [];
    for await (const slice of readPayees(tenant, secrets, runId, request)) {
      payees.push(...slice.filter((payee): payee is PayableTo => isInFile(format, placeOf(payee))));
      if (payees.length > ROWS_OF_FILE[format]) return { kind: 'too-many' };
    }
    if (payees.length === 0) return { kind: 'empty' };
    const payer = await findPayerAccount(tenant, secrets);
    if (format === 'sepa' && payer === undefined) return { kind: 'no-payer' };
    if (format !== 'all') {
      await saveDownload(
        tenant,
        format,
        payees.map(({ payoutId }) => payoutId),
      );
    }
    const { name: merchant, mode, timeZone } = await readOrganization(tenant);
    await insertAuditEntry(tenant, {
      author,
      operation: 'downloadPaymentFile',
      path: `/v1/fulfillments/${runId}/payment-files`,
      request: JSON.stringify(request),
      before: null,
      after: null,
    });
    return { kind: 'read', content: { payees, mode, merchant, timeZone, payer } };
  });
}
