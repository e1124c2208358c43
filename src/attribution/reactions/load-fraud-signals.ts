import { NO_FRAUD_SIGNALS, type FraudSignals } from '#programs/domain/hold.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { ClaimRow } from '../store/sale-facts.ts';
import type { ReportedSale } from '../store/reported-sales.ts';
import { loadTouchSignals, loadUserIds } from '../store/fraud-signals.ts';

type Claimed = ClaimRow & { readonly program: ProgramVersion };

/**
 * Loads the fraud signals of each claim, in the order of the claims. Signals are loaded only for programs with fraud
 * settings. The claims of a renewal already have the signals of its sale, so only the collaborator's user ids are
 * loaded.
 */
export async function loadFraudSignals(
  tenant: Tenant,
  sales: readonly ReportedSale[],
  claims: readonly Claimed[],
): Promise<FraudSignals[]> {
  const kinds = new Map(sales.map(({ transactionId, kind }) => [transactionId, kind]));
  const suspects = claims.flatMap((claim, index) => {
    const kind = kinds.get(claim.transactionId);
    return claim.program.holds === null || kind === undefined ? [] : [{ ...claim, index, kind }];
  });
  const touching = suspects.filter(({ kind }) => kind !== 'renewal');
  const owning = suspects.filter(({ program }) => program.holds?.ownCoupon === true);
  const touched = await loadTouchSignals(tenant, touching);
  const userIds = await loadUserIds(tenant, owning);

  const fraudSignals = claims.map(({ byCoupon, saleHeldFor }): FraudSignals =>
    byCoupon || saleHeldFor !== null
      ? { ...NO_FRAUD_SIGNALS, hasCoupon: byCoupon, ofSale: saleHeldFor ?? [] }
      : NO_FRAUD_SIGNALS,
  );
  for (const [n, { index }] of touching.entries())
    fraudSignals[index] = { ...NO_FRAUD_SIGNALS, ...fraudSignals[index], ...touched[n] };
  for (const [n, { index }] of owning.entries()) {
    fraudSignals[index] = { ...NO_FRAUD_SIGNALS, ...fraudSignals[index], userIds: userIds[n] ?? [] };
  }
  return fraudSignals;
}
