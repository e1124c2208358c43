import { NO_SIGNS, type Signs } from '#domain/hold.ts';
import type { OrganizationId } from '#domain/ids.ts';
import type { ProgramVersion } from '#domain/program.ts';
import type { Queryable } from '#store/database.ts';
import type { ClaimRow, ReportedSale } from '#store/sale-facts.ts';
import { loadTouchSigns, loadUserIds } from '#store/signs.ts';

type Claimed = ClaimRow & { readonly program: ProgramVersion };

/**
 * What may make a person look at what each claim earns, in the order of the claims. Asked where a program holds anything
 * back, and of nobody else; a renewal's claims bring along what is known of its sale.
 */
export async function loadSigns(
  connection: Queryable,
  organizationId: OrganizationId,
  sales: readonly ReportedSale[],
  claims: readonly Claimed[],
): Promise<Signs[]> {
  const kinds = new Map(sales.map((sale) => [sale.transactionId, sale]));
  const suspects = claims.flatMap((claim, index) => {
    const sale = kinds.get(claim.transactionId);
    return claim.program.holds === null || sale === undefined
      ? []
      : [{ ...claim, index, tick: sale.tick, kind: sale.kind }];
  });
  const touching = suspects.filter(({ kind }) => kind !== 'renewal');
  const owning = suspects.filter(({ program }) => program.holds?.ownCoupon === true);
  const touched = await loadTouchSigns(connection, organizationId, touching);
  const userIds = await loadUserIds(connection, organizationId, owning);

  const signs = claims.map(({ byCoupon, saleHeldFor }): Signs =>
    byCoupon || saleHeldFor !== null ? { ...NO_SIGNS, hasCoupon: byCoupon, ofSale: saleHeldFor ?? [] } : NO_SIGNS,
  );
  for (const [n, { index }] of touching.entries()) signs[index] = { ...NO_SIGNS, ...signs[index], ...touched[n] };
  for (const [n, { index }] of owning.entries()) {
    signs[index] = { ...NO_SIGNS, ...signs[index], userIds: userIds[n] ?? [] };
  }
  return signs;
}
