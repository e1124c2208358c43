import { type FileFormat, isInFile, type PayableTo, placeOf, ROWS_OF_FILE } from '../domain/payment-file.ts';
import type { PayerAccount } from '../domain/sepa-file.ts';
import { findPayerAccount } from '../store/payer-accounts.ts';
import { lockRun } from '../store/fulfillments.ts';
import { saveDownload } from '../store/payouts.ts';
import { type PayoutRange, readPayees } from '../store/read/payees.ts';
import type { Problem } from '#core/contract/problem.ts';
import type { FulfillmentId } from '#core/ids.ts';
import type { Mode } from '#core/mode.ts';
import { insertAuditEntry } from '#organizations/store/audit.ts';
import { readOrganization } from '#organizations/store/read/organizations.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Connection, Database } from '#platform/postgres/database.ts';
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
  | { readonly kind: 'empty' | 'too-many' | 'unknown' }
  /** The caller may no longer download the file. */
  | { readonly kind: 'refused'; readonly problem: Problem };

/** The caller who downloads a file. */
export type Downloader = {
  readonly author: string;
  /** Locks the caller's permissions, and returns a problem if they no longer allow the download. */
  readonly lockAuthority: (tenant: Tenant<Connection>) => Promise<Problem | undefined>;
};

/**
 * Returns the payees of one payment file with their payout details. Records the download in the audit log. Also records
 * the format for each payout, unless the format is `all`. Records nothing if the file can't be made.
 */
export function readPaymentFile(
  tenant: Tenant<Database>,
  secrets: SecretBox,
  { author, lockAuthority }: Downloader,
  runId: FulfillmentId,
  request: PaymentFileRequest,
): Promise<PaymentFileReading> {
  const { format } = request;
  return inTenantTransaction(tenant, async (tenant): Promise<PaymentFileReading> => {
    // Lock the caller before the run. Otherwise, a download that waits for the run could end after the caller's key was
    // revoked.
    const problem = await lockAuthority(tenant);
    if (problem !== undefined) return { kind: 'refused', problem };
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
