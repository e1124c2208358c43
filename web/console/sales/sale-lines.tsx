import type { Transaction } from '@whence/sdk';
import { sales as texts } from './sales-texts.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { formatMoney } from '#web/ui/formats/money.ts';
import { formatCount } from '#web/ui/formats/numbers.ts';
import { Money } from '#web/ui/controls/money.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import styles from './sales.module.css';

/** Shows the lines of a sale in the order of the report. */
export function SaleLines({ sale: { lines, currency } }: { readonly sale: Transaction }) {
  // Two lines can be identical, so their position is the React key. The position never changes.
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
        {placed.map(({ place, name, type, externalId, quantity, amount, total }) => (
          <li key={place} className={styles.row}>
            <span>{name}</span>
            <Money minor={BigInt(total)} currency={currency} />
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
