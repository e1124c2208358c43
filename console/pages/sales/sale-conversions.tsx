import { useQuery } from '@tanstack/react-query';
import type { Conversion } from '@whence/sdk';
import { CollaboratorName, ProgramName } from '#console/names.tsx';
import { conversions as conversionTexts } from '#console/texts/conversions.ts';
import { sales as texts } from '#console/texts/sales.ts';
import { StatusBadge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Link } from '#ui/link.tsx';
import { Money } from '#ui/money.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Text } from '#ui/text.tsx';
import styles from './sales.module.css';

/** A sale has one for each who earned by it: a hundred is a split that nobody makes. */
const MOST = 100;

/** What a sale has earned, as it is now. */
export function SaleConversions({ transactionId }: { readonly transactionId: number }) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['conversions', 'of-sale', transactionId],
    queryFn: ({ signal }) => api.conversions.list({ transactionId, sort: 'id', perPage: MOST }, { signal }).page(),
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined || data.data.length === 0) {
    return (
      <Card title={texts.one.earned}>
        {data === undefined ? <Skeleton lines={2} /> : <Text tone="muted">{texts.one.nothingEarned}</Text>}
      </Card>
    );
  }
  return (
    <Card title={texts.one.earned} padded={false}>
      <ul className={styles.rows} aria-label={texts.one.earnedLabel}>
        {data.data.map((conversion) => (
          <Earned key={conversion.id} conversion={conversion} />
        ))}
      </ul>
    </Card>
  );
}

function Earned({ conversion }: { readonly conversion: Conversion }) {
  const { id, collaboratorId, programId, amount, currency, status } = conversion;
  return (
    <li className={styles.row}>
      <CollaboratorName id={collaboratorId} />
      <Link href={`/conversions/${id}`}>
        <Money minor={status === 'rejected' ? 0 : amount} currency={currency} />
      </Link>
      <span className={styles.under}>
        <ProgramName id={programId} />
      </span>
      <StatusBadge status={status} label={conversionTexts.statuses[status]} />
    </li>
  );
}
