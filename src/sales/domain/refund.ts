import type { EventId } from '#core/ids.ts';
import { divideHalfUp, type Minor } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';

export const REFUND_KINDS = ['full', 'amount', 'items'] as const;
export type RefundKind = (typeof REFUND_KINDS)[number];

/** A number of pieces of one line. `position` is the number of the line in the sale, starting at 1. */
export type Pieces = { readonly position: number; readonly quantity: number };

/**
 * A recorded refund. `amount` is never below 0. It is the reported amount for a refund of an amount, the value of the
 * pieces for a refund of items, and the remaining amount for a full refund.
 */
export type Refund = {
  readonly kind: RefundKind;
  readonly amount: Minor;
  /** The returned pieces. Empty for a full refund and for a refund of an amount. */
  readonly pieces: readonly Pieces[];
};

/**
 * The content of a transaction and its refunds. `lines` are in the order of the report. A lead has no lines and a total
 * of 0.
 */
export type RefundedSale = {
  readonly total: Minor;
  readonly lines: readonly Line[];
  /** The refunds that were not reversed, in the order of their events. */
  readonly refunds: readonly Refund[];
};

/** A refund with its event, and the event that reversed it. `reversedBy` is null if the refund was not reversed. */
export type PlacedRefund = Refund & { readonly eventId: EventId; readonly reversedBy: EventId | null };

/** The former content of a transaction, which a correction has replaced. */
export type ReplacedContent = Omit<RefundedSale, 'refunds'> & {
  readonly correctedBy: EventId;
  /** The returned pieces of `lines`, by the event of the refund that returned them. */
  readonly pieces: ReadonlyMap<EventId, readonly Pieces[]>;
};

/**
 * A transaction with all its refunds and corrections, in the order of their events. Its total, its lines and the pieces
 * of its refunds are in the state after the last correction.
 */
export type RefundHistory = Omit<RefundedSale, 'refunds'> & {
  readonly refunds: readonly PlacedRefund[];
  readonly corrections: readonly ReplacedContent[];
};

export function withoutReversed<History extends RefundHistory>(history: History): History {
  return { ...history, refunds: history.refunds.filter(({ reversedBy }) => reversedBy === null) };
}

/** Returns whether nothing of a sale is left: its whole total is refunded, or every piece of every line is returned. */
export function isAllGone({ total, lines, refunds }: RefundedSale): boolean {
  if (refunds.some(({ kind }) => kind === 'full')) return true;
  // A total of 0 also counts as refunded if a correction removed the total after a refund of money. Otherwise, a sale
  // with a total of 0 is refunded only once all pieces are returned.
  const hasMoney = total > 0n || refunds.some(({ kind, amount }) => kind === 'amount' && amount > 0n);
  if (hasMoney && givenBack({ total, lines, refunds }) === total) return true;
  // Count the pieces of the lines only if a refund returned any, because an order can have 1,000 lines.
  if (refunds.every(({ pieces }) => pieces.length === 0)) return false;
  return piecesLeft(lines, refunds).every(({ quantity }) => quantity === 0);
}

/** Returns the sum of the refunded amounts and of the values of the returned pieces, at most the total. */
export function givenBack(sale: RefundedSale): Minor {
  const given = sumOfRefunds(sale);
  return given < sale.total ? given : sale.total;
}

/**
 * Returns the sum of the refunded amounts and of the values of the returned pieces. The recorded amount of a refund of
 * items is not used, because it depends on earlier refunds that may be reversed.
 */
export function sumOfRefunds({ lines, refunds }: RefundedSale): Minor {
  const returned = returnsOf(lines, refunds).flat();
  const given = refunds.flatMap(({ kind, amount }) => (kind === 'items' ? [] : [amount]));
  return (sum(given) + sum(returned.map((each) => each.total))) as Minor;
}

/** Returns the pieces of each line that have not been returned, in the order of the lines. */
export function piecesLeft(lines: readonly Line[], refunds: readonly Refund[]): (Pieces & Pick<Line, 'externalId'>)[] {
  const gone = new Map<number, number>();
  for (const { position, quantity } of refunds.flatMap(({ pieces }) => pieces)) {
    gone.set(position, (gone.get(position) ?? 0) + quantity);
  }
  return lines.map(({ externalId, quantity }, index) => {
    const position = index + 1;
    return { externalId, position, quantity: quantity - (gone.get(position) ?? 0) };
  });
}

/**
 * Returns the returned lines of each refund, with the returned quantity and its value. All returned pieces of a line
 * together have the value `total × returned ÷ quantity`, rounded with halves away from zero. Each refund gets the
 * difference from earlier refunds, so the sum doesn't depend on the split of pieces over refunds.
 */
export function returnsOf(lines: readonly Line[], refunds: readonly Pick<Refund, 'pieces'>[]): Line[][] {
  const returned = new ReturnedPieces(lines);
  return refunds.map(({ pieces }) =>
    pieces.map(({ position, quantity }) => {
      const total = returned.change(position, quantity);
      return { ...returned.lineAt(position), quantity, total };
    }),
  );
}

/** Counts the returned pieces of each line of a sale. */
export class ReturnedPieces {
  readonly #lines: readonly Line[];
  readonly #quantities = new Map<number, number>();
  /** The number of lines that still have pieces. */
  #linesLeft: number;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
    this.#linesLeft = lines.length;
  }

  lineAt(position: number): Line {
    const line = this.#lines[position - 1];
    if (line === undefined)
      throw new Error(`A refund names line ${position}, but the sale has only ${this.#lines.length} lines.`);
    return line;
  }

  /** Adds returned pieces of a line, or removes them if `quantity` is below 0. Returns the change of their value. */
  change(position: number, quantity: number): Minor {
    const line = this.lineAt(position);
    const before = this.#quantities.get(position) ?? 0;
    const after = before + quantity;
    this.#quantities.set(position, after);
    this.#linesLeft += Number(before === line.quantity) - Number(after === line.quantity);
    return (worthOfPieces(line, after) - worthOfPieces(line, before)) as Minor;
  }

  /** Returns whether all pieces of all lines were returned. Returns false for a sale without lines. */
  isEverything(): boolean {
    return this.#lines.length > 0 && this.#linesLeft === 0;
  }
}

function worthOfPieces({ total, quantity }: Line, pieces: number): bigint {
  return divideHalfUp(total * BigInt(pieces), BigInt(quantity));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((before, amount) => before + amount, 0n);
}
