import { useQuery } from '@tanstack/react-query';
import { sales as texts } from './sales-texts.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import styles from './sales.module.css';

/** The maximum number of renewals shown. The list of sales contains all renewals. */
const SHOWN = 12;

/** Shows the renewals of a sale, newest first. */
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
