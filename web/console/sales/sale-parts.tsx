import { useQuery } from '@tanstack/react-query';
import type { Transaction } from '@whence/sdk';
import { useRead } from '#web/ui/shell/call.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { formatMoney } from '#web/ui/formats/money.ts';
import { NO_CURRENCY } from '#web/ui/formats/money.ts';
import { formatCount } from '#web/ui/formats/numbers.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { explanationQuery } from './sale-query.ts';
import { sales as texts } from './sales-texts.ts';
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

/** The maximum number of renewals shown. The list of sales contains all renewals. */
const SHOWN = 12;

/** Shows the renewals of a sale, newest first. */
export function SaleRenewals({ transactionId }: { readonly transactionId: number }) {
  const { data } = useRead(['transactions', 'renewals', transactionId], (api, options) =>
    api.transactions.list({ renewsTransactionId: transactionId, perPage: SHOWN }, options).page(),
  );
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
