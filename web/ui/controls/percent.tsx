import { formatPercent } from '../formats/numbers.ts';

/** Shows a ratio as a percentage (0.125 is 12.5%), or a dash if the ratio is not a finite number. */
export function Percent({ ratio }: { readonly ratio: number }) {
  return formatPercent(ratio);
}
