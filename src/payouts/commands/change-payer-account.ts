import { changedPayer, type GivenPayer, type PayerFault } from '../domain/payer-account.ts';
import { findPayerAccount, type KeptPayerAccount, savePayerAccount } from '../store/payer-accounts.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';

export type PayerAccountChange =
  | { readonly kind: 'changed'; readonly account: KeptPayerAccount }
  /** The request has no field with a value. */
  | { readonly kind: 'unchanged'; readonly account: KeptPayerAccount | undefined }
  | { readonly kind: 'faulty'; readonly faults: readonly PayerFault[] };

/** Changes the account from which the merchant pays payouts. */
export function changePayerAccount(
  tenant: Tenant<Database>,
  secrets: SecretBox,
  given: GivenPayer,
): Promise<PayerAccountChange> {
  return inTenantTransaction(tenant, async (tenant) => {
    const before = await findPayerAccount(tenant, secrets);
    if (Object.values(given).every((value) => value === undefined)) return { kind: 'unchanged', account: before };
    const checked = changedPayer(given, before);
    if (checked.kind === 'faulty') return checked;
    await savePayerAccount(tenant, secrets, checked.account);
    return { kind: 'changed', account: (await findPayerAccount(tenant, secrets)) as KeptPayerAccount };
  });
}
