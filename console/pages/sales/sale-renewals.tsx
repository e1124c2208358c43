import { useQuery } from '@tanstack/react-query';
import { sales as texts } from '#console/texts/sales.ts';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/link.tsx';
import { Money } from '#ui/money.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Time } from '#ui/time.tsx';
import styles from './sales.module.css';

/** The newest; all of them are in the list of sales. */
const SHOWN = 12;

/** What was renewed of a sale, the newest first. */
export function SaleRenewals({ transactionId }: { readonly transactionId: number }) {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['transactions', 'renewals', transactionId],
    queryFn: ({ signal }) =>
      api.transactions.list({ renewsTransactionId: transactionId, perPage: SHOWN }, { signal }).page(),
  });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Card title={texts.one.renewals} padded={false}>
      <ul className={styles.rows} aria-label={texts.one.renewals}>
        {data.data.map(({ id, externalId, total, currency, occurredAt, renewalNumber = 1 }) => (
          <li key={id} className={styles.row}>
            <Link href={`/sales/${id}`}>{externalId}</Link>
            <Money minor={total} currency={currency} />
            <span className={styles.under}>{texts.one.renewal(renewalNumber)}</span>
            <span className={styles.under}>
              <Time at={occurredAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
