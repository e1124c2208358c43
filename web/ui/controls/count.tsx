import { formatCount, NOTHING } from '../formats/numbers.ts';
import styles from './money.module.css';

export type CountProps = { readonly value: number | bigint | undefined };

/** Shows a count, or a dash if it is unknown. */
export function Count({ value }: CountProps) {
  return value === undefined ? <span className={styles.zero}>{NOTHING}</span> : formatCount(value);
}
