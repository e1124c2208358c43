import { formatCount, NOTHING } from '../formats/numbers.ts';
import styles from './money.module.css';

/** Shows a count, or a dash if it is unknown. */
export function Count({ value }: { readonly value: number | bigint | undefined }) {
  return value === undefined ? <span className={styles.zero}>{NOTHING}</span> : formatCount(value);
}
