import { formatPercent } from '../formats/numbers.ts';

export type PercentProps = {
  /** The ratio: 0.125 is 12.5%. */
  readonly ratio: number;
  readonly digits?: number | undefined;
  readonly sign?: boolean | undefined;
};

/** Shows a percentage, or a dash if the ratio is not a finite number. */
export function Percent({ ratio, digits, sign }: PercentProps) {
  return formatPercent(ratio, { digits, sign });
}
