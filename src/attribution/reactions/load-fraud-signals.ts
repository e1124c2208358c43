import { MAX_DENY_LIST_ENTRIES, NO_FRAUD_SIGNALS, type FraudSignals } from '#programs/domain/hold.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { ClaimRow } from '../store/sale-facts.ts';
import type { ReportedSale } from '../store/reported-sales.ts';
import { loadAdReferrers, loadBuyerSignals, loadTouchSignals, loadUserIds } from '../store/fraud-signals.ts';

type Claimed = ClaimRow & { readonly program: ProgramVersion };

/**
 * Loads the fraud signals of each claim, in the order of the claims. A program without fraud settings has only the
 * signals of the deny list, which are loaded if the list has or had an entry. The claims of a renewal already have the
 * signals of its sale, so only the collaborator's user ids are loaded.
 */
export async function loadFraudSignals(
  tenant: Tenant,
  sales: readonly ReportedSale[],
  claims: readonly Claimed[],
): Promise<FraudSignals[]> {
  const kinds = new Map(sales.map(({ transactionId, kind }) => [transactionId, kind]));
  const mayBeDenied = sales.some((sale) => sale.mayBeDenied);
  const suspects = claims.flatMap((claim, index) => {
    const kind = kinds.get(claim.transactionId);
    const isChecked = claim.program.holds !== null || mayBeDenied;
    return isChecked && kind !== undefined ? [{ ...claim, index, kind }] : [];
  });
  const touching = suspects.filter(({ kind }) => kind !== 'renewal');
  const owning = suspects.filter(({ program }) => program.holds?.ownCoupon === true);
  const buying = touching.filter(({ program }) => mayBeDenied || (program.holds?.buyerDetails.length ?? 0) > 0);
  const advertising = touching.flatMap((suspect) => {
    const patterns = suspect.program.holds?.adReferrers ?? [];
    return patterns.length > 0 ? [{ ...suspect, patterns }] : [];
  });
  const touched = await loadTouchSignals(tenant, touching);
  const referrers = await loadAdReferrers(tenant, advertising);
  const userIds = await loadUserIds(tenant, owning);
  const compared = await loadBuyerSignals(tenant, buying);

  const fraudSignals = claims.map(({ byCoupon, saleHeldFor }): FraudSignals =>
    byCoupon || saleHeldFor !== null
      ? { ...NO_FRAUD_SIGNALS, hasCoupon: byCoupon, ofSale: saleHeldFor ?? [] }
      : NO_FRAUD_SIGNALS,
  );
  const add = (index: number, signals: Partial<FraudSignals>) => {
    fraudSignals[index] = { ...NO_FRAUD_SIGNALS, ...fraudSignals[index], ...signals };
  };
  for (const [n, { index, program }] of touching.entries()) {
    const { deniedBy = [], ...signals } = touched[n] ?? {};
    add(index, program.holds === null ? { deniedBy } : { ...signals, deniedBy });
  }
  for (const [n, { index }] of advertising.entries()) add(index, { referrers: referrers[n] ?? [] });
  for (const [n, { index }] of owning.entries()) add(index, { userIds: userIds[n] ?? [] });
  for (const [n, { index }] of buying.entries()) {
    const { buyerDetails = [], deniedBy = [] } = compared[n] ?? {};
    const entries = [...deniedBy, ...(fraudSignals[index]?.deniedBy ?? [])];
    add(index, { buyerDetails, deniedBy: entries.slice(0, MAX_DENY_LIST_ENTRIES) });
  }
  return fraudSignals;
}
