import type { Conversion } from '@whence/sdk';
import { CollaboratorName, ProgramName } from '../names.tsx';
import { ConversionStatus } from '../attribution/conversion-status.tsx';
import { PaidNotes } from '../attribution/paid-notes.tsx';
import { sales as texts } from './sales-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import styles from './sales.module.css';

/**
 * The maximum number of conversions to load. A sale has one conversion for each partner and program that it pays, which
 * is usually far fewer than a hundred.
 */
const MOST = 100;

export type SaleConversionsProps = {
  readonly transactionId: number;
  /** Whether pending reports about the sale may still change its commissions. */
  readonly isUpdating: boolean;
};

export function SaleConversions({ transactionId, isUpdating }: SaleConversionsProps) {
  const { data, error, refetch } = useRead(['conversions', 'of-sale', transactionId], (api, options) =>
    api.conversions.list({ transactionId, sort: 'id', perPage: MOST }, options).page(),
  );
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined || data.data.length === 0) {
    return (
      <Card title={texts.one.earned}>
        {data === undefined ? <Skeleton lines={2} /> : <Text tone="muted">{texts.one.nothingEarned}</Text>}
      </Card>
    );
  }
  return (
    <Card title={texts.one.earned} description={isUpdating ? texts.one.updating : undefined} padded={false}>
      <ul className={styles.rows} aria-label={texts.one.earnedLabel}>
        {data.data.map((conversion) => (
          <Earned key={conversion.id} conversion={conversion} />
        ))}
      </ul>
    </Card>
  );
}

function Earned({ conversion }: { readonly conversion: Conversion }) {
  const { id, collaboratorId, programId, awarded, amount, currency, status, payoutId } = conversion;
  const isReduced = status === 'rejected' || amount < awarded;
  return (
    <li className={styles.row}>
      <CollaboratorName id={collaboratorId} />
      <Link href={`/conversions/${id}`}>
        <Money minor={status === 'rejected' ? 0 : amount} currency={currency} />
      </Link>
      <span className={styles.under}>
        <ProgramName id={programId} />
      </span>
      <ConversionStatus conversion={conversion} />
      {isReduced && payoutId !== null && (
        <span className={styles.note}>
          <PaidNotes conversionId={id} />
        </span>
      )}
    </li>
  );
}
