import { divideHalfUp, type Minor } from '#core/money.ts';
import type { Line, LineType } from '#programs/domain/line.ts';

/**
 * The maximum length of the names and ids in a report, in UTF-16 units. Longer names and ids of lines are cut. Longer
 * ids of orders, refunds and corrections are refused.
 */
export const MAX_NAME = 255;
const MAX_QUANTITY = 1_000_000;

/** The maximum number of items that are read from an order. The amounts of further items become one line. */
export const MAX_LINES = 1_000;

/** A part of an order's total. The amount `total` is in hundredths. */
export type Part = {
  readonly externalId?: string | undefined;
  readonly name: string;
  readonly type: LineType;
  readonly quantity?: number | undefined;
  readonly total: bigint;
};

/** Converts the nonzero parts of an order to lines. */
export function linesOf(parts: readonly Part[]): readonly Line[] {
  return parts.filter(({ total }) => total !== 0n).map(lineOf);
}

function lineOf({ externalId, name, type, quantity = 1, total }: Part): Line {
  const pieces = quantity >= 1 && quantity <= MAX_QUANTITY ? quantity : 1;
  return {
    externalId: externalId?.slice(0, MAX_NAME) ?? null,
    name: name.replaceAll('\0', '').slice(0, MAX_NAME) || 'Item',
    type,
    quantity: pieces,
    amount: divideHalfUp(total, BigInt(pieces)) as Minor,
    total: total as Minor,
  };
}
