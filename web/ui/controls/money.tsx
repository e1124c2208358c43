import { classNames } from './class-names.ts';
import { formatMoney, type MinorUnits } from '../formats/money.ts';
import { NOTHING } from '../formats/numbers.ts';
import styles from './money.module.css';

export type MoneyProps = {
  /** The amount in hundredths of the currency unit, even for currencies without cents. */
  readonly minor: MinorUnits;
  readonly currency: string;
  /** Whether to show a plus sign before positive amounts, as for changes. Default: false. */
  readonly sign?: boolean | undefined;
  /** Whether to mark the amount as an approximation, as for converted amounts. Default: false. */
  readonly approximate?: boolean | undefined;
  /** Whether to show zero in a pale color, as in columns where most amounts are zero. Default: false. */
  readonly paleZero?: boolean | undefined;
};

/** Shows an exact amount with its currency. */
export function Money({ minor, currency, sign, approximate, paleZero }: MoneyProps) {
  const pale = paleZero === true && BigInt(minor) === 0n;
  return (
    <span className={classNames(styles.money, pale && styles.zero)}>
      {approximate === true && APPROXIMATELY}
      {formatMoney(minor, currency, { sign })}
    </span>
  );
}

const APPROXIMATELY = '≈ ';

export type Amount = { readonly minor: MinorUnits; readonly currency: string };

export type MoneyListProps = {
  readonly amounts: readonly Amount[];
  /** Whether to show each amount on its own line, as in tiles. Default: false. */
  readonly below?: boolean | undefined;
};

/** Shows amounts of several currencies, which can't be added. Without amounts, shows a dash. */
export function MoneyList({ amounts, below }: MoneyListProps) {
  if (amounts.length === 0) return <span className={styles.zero}>{NOTHING}</span>;
  return (
    <span className={classNames(styles.list, below === true && styles.below)}>
      {amounts.map(({ minor, currency }) => (
        <Money key={currency} minor={minor} currency={currency} />
      ))}
    </span>
  );
}
