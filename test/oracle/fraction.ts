/** An exact number: `top` divided by `bottom`, which is above 0. */
export type Fraction = { readonly top: bigint; readonly bottom: bigint };

export const ZERO: Fraction = { top: 0n, bottom: 1n };

export function whole(value: bigint | number): Fraction {
  return { top: BigInt(value), bottom: 1n };
}

/** Returns the exact value of a decimal number, with or without an exponent: `33.3333`, `-0.5`, `4.35e1`. */
export function decimal(text: string): Fraction {
  const [, sign, digits, decimals = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (sign === undefined || digits === undefined) throw new Error(`${text} is not a decimal number`);
  const top = BigInt(sign + digits + decimals);
  const places = BigInt(decimals.length) - BigInt(exponent);
  return places >= 0n ? { top, bottom: 10n ** places } : whole(top * 10n ** -places);
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom };
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return plus(a, { top: -b.top, bottom: b.bottom });
}

export function times(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.top, bottom: a.bottom * b.bottom };
}

/** Returns `a` divided by `b`, which must be above 0. */
export function over(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.bottom, bottom: a.bottom * b.top };
}

/** Returns a number below 0 if `a` is less than `b`, above 0 if `a` is greater, and otherwise 0. */
export function compare(a: Fraction, b: Fraction): number {
  const left = a.top * b.bottom;
  const right = b.top * a.bottom;
  return left < right ? -1 : left > right ? 1 : 0;
}

export function sum(all: readonly Fraction[]): Fraction {
  return all.reduce(plus, ZERO);
}

export function floor({ top, bottom }: Fraction): bigint {
  const towardsZero = top / bottom;
  return top < 0n && towardsZero * bottom !== top ? towardsZero - 1n : towardsZero;
}

/** Returns the nearest integer. A half rounds up. */
export function roundHalfUp(value: Fraction): bigint {
  return floor(plus(value, { top: 1n, bottom: 2n }));
}

/** Returns the nearest multiple of `unit`. A half rounds up. */
export function roundTo(unit: bigint, value: Fraction): bigint {
  return roundHalfUp(over(value, whole(unit))) * unit;
}

/** Converts major units, given as decimal digits, to hundredths. A half rounds away from zero. */
export function minorOf(text: string): bigint {
  const value = times(decimal(text), whole(100));
  return value.top < 0n ? -roundHalfUp({ top: -value.top, bottom: value.bottom }) : roundHalfUp(value);
}

/**
 * Splits `total` in proportion to `parts`, by largest remainder. Among equal remainders, the first part wins. If all
 * parts are 0, all shares are 0.
 */
export function split(total: bigint, parts: readonly Fraction[]): bigint[] {
  const all = sum(parts);
  if (all.top === 0n) return parts.map(() => 0n);
  const exact = parts.map((part) => over(times(whole(total), part), all));
  const shares = exact.map(floor);
  let left = total - shares.reduce((a, b) => a + b, 0n);
  const taken = new Set<number>();
  while (left > 0n) {
    let best = -1;
    for (const [index, value] of exact.entries()) {
      if (taken.has(index)) continue;
      if (best < 0 || compare(rest(value), rest(exact[best]!)) > 0) best = index;
    }
    taken.add(best);
    shares[best]! += 1n;
    left -= 1n;
  }
  return shares;
}

function rest(value: Fraction): Fraction {
  return minus(value, whole(floor(value)));
}
