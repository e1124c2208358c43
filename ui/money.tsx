import { classNames } from './class-names.ts';
import { formatMoney, type MinorUnits } from './formats/money.ts';
import { NOTHING } from './formats/numbers.ts';
import styles from './money.module.css';

export type MoneyProps = {
  /** In the smallest unit, as the API has it: hundredths, for every currency. */
  readonly minor: MinorUnits;
  readonly currency: string;
  /** With a plus before what is above zero: for changes. */
  readonly sign?: boolean | undefined;
  /** Zero pale, in columns where it is the rule. */
  readonly paleZero?: boolean | undefined;
};

/** An amount with its currency, exact. */
export function Money({ minor, currency, sign, paleZero }: MoneyProps) {
  const pale = paleZero === true && BigInt(minor) === 0n;
  return (
    <span className={classNames(styles.money, pale && styles.zero)}>{formatMoney(minor, currency, { sign })}</span>
  );
}

export type Amount = { readonly minor: MinorUnits; readonly currency: string };

export type MoneyListProps = {
  readonly amounts: readonly Amount[];
  /** Below each other: in figures. */
  readonly below?: boolean | undefined;
};

/** Amounts of several currencies, which nobody can add up. A dash where there are none. */
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
