import { useQuery } from '@tanstack/react-query';
import type { Transaction } from '@whence/sdk';
import { sales as texts } from './sales-texts.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { NO_CURRENCY } from '#web/ui/formats/money.ts';
import { Money } from '#web/ui/controls/money.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { explanationQuery } from './sale-query.ts';
import styles from './sales.module.css';

export function SaleRefunds({ sale: { id, currency } }: { readonly sale: Transaction }) {
  const { data } = useQuery(explanationQuery(useApi(), id));
  if (data === undefined || data.refunds.length === 0) return null;
  return (
    <Card title={texts.one.refunds} padded={false}>
      <ul className={styles.rows} aria-label={texts.one.refunds}>
        {data.refunds.map(({ at, kind, amount, refundId, reversedAt }) => (
          <li key={`${at} ${refundId ?? ''}`} className={styles.row}>
            <span>{texts.one.refundKinds[kind] ?? kind}</span>
            {currency === NO_CURRENCY ? <span /> : <Money minor={amount} currency={currency} />}
            <span className={styles.under}>
              {refundId !== undefined && texts.one.refundNamed(refundId)}
              {reversedAt !== undefined && texts.one.refundReversed}
            </span>
            <span className={styles.under}>
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
