import type { TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { PayableKind } from '#programs/domain/program.ts';

/**
 * A sale, renewal or lead that was already reported with other content or as another kind. `stands` is the kind of the
 * stored transaction. If there are `differences`, `stands` equals the reported kind.
 */
export type SaleConflict = {
  readonly kind: 'conflict';
  readonly stands: PayableKind;
  readonly differences: readonly SaleDifference[];
};

export type SaleDifference = 'opportunity' | 'renews' | 'total' | 'currency' | 'items';

type Content = {
  /** The renewed sale. Null for a sale or a lead, and undefined if a renewal report names an unknown sale. */
  readonly renews: TransactionId | null | undefined;
  readonly total: Minor;
  readonly currency: string;
};

/**
 * Returns the fields in which two different contents of the same kind differ. The items are not compared, because they
 * must differ if all other fields are equal.
 */
export function contentDifferences(report: Content, stands: Content): SaleDifference[] {
  const found = (['renews', 'total', 'currency'] as const).filter((field) => report[field] !== stands[field]);
  return found.length > 0 ? found : ['items'];
}
