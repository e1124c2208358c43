import type { TransactionId } from './ids.ts';
import type { Minor } from './money.ts';
import type { PayableKind } from './program.ts';

/**
 * A sale, renewal or lead that was reported before with other content, or as something else. What `stands` is of the kind
 * that was reported where there are `differences`.
 */
export type SaleConflict = {
  readonly kind: 'conflict';
  readonly stands: PayableKind;
  readonly differences: readonly SaleDifference[];
};

export type SaleDifference = 'opportunity' | 'renews' | 'total' | 'currency' | 'items';

type Content = {
  /** Of a renewal: the sale that it renews; undefined is none that there is. */
  readonly renews: TransactionId | null | undefined;
  readonly total: Minor;
  readonly currency: string;
};

/** Where two contents of one kind differ, of which it is known that they do: else it is their items, which are not here. */
export function contentDifferences(report: Content, stands: Content): SaleDifference[] {
  const found = (['renews', 'total', 'currency'] as const).filter((field) => report[field] !== stands[field]);
  return found.length > 0 ? found : ['items'];
}
