import type { PayerAccount } from '../domain/sepa-file.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type KeptPayerAccount = PayerAccount & { readonly updatedAt: Date };

/** Returns the merchant's account. Returns undefined if it is not set, or was encrypted with a lost key. */
export async function findPayerAccount(
  { connection, organizationId }: Tenant,
  secrets: SecretBox,
): Promise<KeptPayerAccount | undefined> {
  const { rows } = await connection.query<{ account: Buffer; updatedAt: Date }>(
    'select account, updated_at as "updatedAt" from payer_accounts where organization_id = $1',
    [organizationId],
  );
  const [kept] = rows;
  if (kept === undefined || !secrets.sealed(kept.account)) return undefined;
  return { ...(JSON.parse(secrets.open(kept.account)) as PayerAccount), updatedAt: kept.updatedAt };
}

/** Encrypts and stores the merchant's account. */
export async function savePayerAccount(
  { connection, organizationId }: Tenant<Connection>,
  secrets: SecretBox,
  account: PayerAccount,
): Promise<void> {
  await connection.query(
    `insert into payer_accounts (organization_id, account) values ($1, $2)
     on conflict (organization_id) do update set account = $2, updated_at = now()`,
    [organizationId, secrets.seal(JSON.stringify(account))],
  );
}
