import type { Minor } from '#core/money.ts';

export const LINE_TYPES = ['product', 'shipping', 'tax', 'fee', 'discount'] as const;
export type LineType = (typeof LINE_TYPES)[number];

export type Line = {
  readonly externalId: string | null;
  readonly name: string;
  readonly type: LineType;
  readonly quantity: number;
  /** The unit price, negative for a discount. It is rounded if the report has the line's total. */
  readonly amount: Minor;
  /** The price of the whole line. It is amount × quantity, unless the report has the total. */
  readonly total: Minor;
};
