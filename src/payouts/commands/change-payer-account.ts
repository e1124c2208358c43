import { checkedPayer, type PayerFault } from '../domain/payer-account.ts';
import type { PayerAccount } from '../domain/sepa-file.ts';
import { findPayerAccount, type KeptPayerAccount, savePayerAccount } from '../store/payer-accounts.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';

export type PayerAccountChange =
  | { readonly kind: 'changed'; readonly account: KeptPayerAccount }
  | { readonly kind: 'faulty'; readonly faults: readonly PayerFault[] };

/** Replaces the account from which the merchant pays payouts. */
export function changePayerAccount(
  tenant: Tenant<Database>,
  secrets: SecretBox,
  given: PayerAccount,
): Promise<PayerAccountChange> {
  return inTenantTransaction(tenant, async (tenant) => {
    const checked = checkedPayer(given);
    if (checked.kind === 'faulty') return checked;
    await savePayerAccount(tenant, secrets, checked.account);
    return { kind: 'changed', account: (await findPayerAccount(tenant, secrets)) as KeptPayerAccount };
  });
}
