import { NO_SIGNS, type Signs } from '#programs/domain/hold.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { ClaimRow, ReportedSale } from '../store/sale-facts.ts';
import { loadTouchSigns, loadUserIds } from '../store/signs.ts';

type Claimed = ClaimRow & { readonly program: ProgramVersion };

/**
 * Loads the fraud signals of each claim, in the order of the claims. They are loaded only for programs with fraud
 * review. The claims of a renewal already include the signals known from its sale.
 */
export async function loadSigns(
  tenant: Tenant,
  sales: readonly ReportedSale[],
  claims: readonly Claimed[],
): Promise<Signs[]> {
  const kinds = new Map(sales.map(({ transactionId, kind }) => [transactionId, kind]));
  const suspects = claims.flatMap((claim, index) => {
    const kind = kinds.get(claim.transactionId);
    return claim.program.holds === null || kind === undefined ? [] : [{ ...claim, index, kind }];
  });
  const touching = suspects.filter(({ kind }) => kind !== 'renewal');
  const owning = suspects.filter(({ program }) => program.holds?.ownCoupon === true);
  const touched = await loadTouchSigns(tenant, touching);
  const userIds = await loadUserIds(tenant, owning);

  const signs = claims.map(({ byCoupon, saleHeldFor }): Signs =>
    byCoupon || saleHeldFor !== null ? { ...NO_SIGNS, hasCoupon: byCoupon, ofSale: saleHeldFor ?? [] } : NO_SIGNS,
  );
  for (const [n, { index }] of touching.entries()) signs[index] = { ...NO_SIGNS, ...signs[index], ...touched[n] };
  for (const [n, { index }] of owning.entries()) {
    signs[index] = { ...NO_SIGNS, ...signs[index], userIds: userIds[n] ?? [] };
  }
  return signs;
}
