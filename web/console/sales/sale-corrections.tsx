import { useQuery } from '@tanstack/react-query';
import type { Transaction } from '@whence/sdk';
import { sales as texts } from './sales-texts.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { explanationQuery } from './sale-query.ts';
import styles from './sales.module.css';

export function SaleCorrections({ sale: { id, currency } }: { readonly sale: Transaction }) {
  const { data } = useQuery(explanationQuery(useApi(), id));
  if (data === undefined || data.corrections.length === 0) return null;
  return (
    <Card title={texts.one.corrections} padded={false}>
      <ul className={styles.rows} aria-label={texts.one.corrections}>
        {data.corrections.map(({ at, correctionId, total }) => (
          <li key={correctionId} className={styles.row}>
            <span>{texts.one.newTotal}</span>
            <Money minor={total} currency={currency} />
            <span className={styles.under}>{texts.one.correctionNamed(correctionId)}</span>
            <span className={styles.under}>
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
