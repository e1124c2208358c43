import { formatPercent } from './formats/numbers.ts';

export type PercentProps = {
  /** 0.125 is 12.5%. */
  readonly ratio: number;
  readonly digits?: number | undefined;
  readonly sign?: boolean | undefined;
};

/** A share of a whole. A dash where there is no whole. */
export function Percent({ ratio, digits, sign }: PercentProps) {
  return formatPercent(ratio, { digits, sign });
}
