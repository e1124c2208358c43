import type { Transaction } from '@whence/sdk';
import { sales as texts } from '#console/texts/sales.ts';
import { Card } from '#ui/card.tsx';
import { formatMoney } from '#ui/formats/money.ts';
import { formatCount } from '#ui/formats/numbers.ts';
import { Money } from '#ui/money.tsx';
import { Text } from '#ui/text.tsx';
import styles from './sales.module.css';

/** What was sold, in the order of the report. */
export function SaleLines({ sale: { lines, currency } }: { readonly sale: Transaction }) {
  // Two lines may be the same in everything; they never change their places.
  const placed = lines.map((line, place) => ({ ...line, place }));
  if (lines.length === 0) {
    return (
      <Card title={texts.one.lines}>
        <Text tone="muted">{texts.one.noLines}</Text>
      </Card>
    );
  }
  return (
    <Card title={texts.one.lines} padded={false}>
      <ul className={styles.rows} aria-label={texts.one.linesLabel}>
        {placed.map(({ place, name, type, externalId, quantity, amount }) => (
          <li key={place} className={styles.row}>
            <span>{name}</span>
            <Money minor={BigInt(amount) * BigInt(quantity)} currency={currency} />
            <span className={styles.under}>
              {[texts.one.lineTypes[type] ?? type, externalId].filter(Boolean).join(' · ')}
            </span>
            <span className={styles.under}>
              {quantity !== 1 && texts.one.pieces(formatCount(quantity), formatMoney(amount, currency))}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
