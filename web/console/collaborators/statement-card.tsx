import { keepPreviousData } from '@tanstack/react-query';
import type { Statement } from '@whence/sdk';
import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { lastThirtyDays } from '../last-days.ts';
import { collaboratorTabs } from './collaborator-tabs-texts.ts';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { download } from '#web/ui/table/download.ts';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { formatCount, NOTHING } from '#web/ui/formats/numbers.ts';
import { addDays, type Period, startOf } from '#web/ui/formats/time.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { PeriodPicker } from '#web/ui/overlay/period-picker.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Day, Time } from '#web/ui/controls/time.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import styles from './collaborators.module.css';

const words = collaboratorTabs.statement;

/** The first day of the statement and the day after its last day, both from the URL. */
export type StatementState = { readonly from?: string | undefined; readonly until?: string | undefined };

export type StatementCardProps = {
  readonly collaboratorId: number;
  readonly state: StatementState;
  onChange(this: void, patch: StatementState): void;
};

/** The maximum number of lines per currency. The CSV file contains all lines. */
const SHOWN = 200;

/**
 * Shows a partner's statement for a period: in each currency, the opening balance, the ledger entries and the closing
 * balance.
 */
export function StatementCard({ collaboratorId: id, state, onChange }: StatementCardProps) {
  const [all, setAll] = useState(false);
  const usual = lastThirtyDays();
  const period = { from: state.from ?? usual.from, until: state.until ?? usual.until };
  const query = { from: startOf(period.from), to: startOf(period.until) };
  const { data, error, refetch } = useRead(
    ['balances', 'statement', id, query],
    (api, options) => api.collaborators.getStatement(id, query, options),
    { placeholderData: keepPreviousData },
  );
  const file = useCall((api) => api.collaborators.downloadStatement(id, query), {
    onDone: (csv) => download(new Blob([csv], { type: 'text/csv' }), `statement-${id}-${period.from}.csv`),
    onError: toast.error,
  });
  return (
    <Card
      title={words.title}
      description={words.help}
      actions={
        <div className={styles.controls}>
          <PeriodPicker value={period} onChange={onChange} />
          <Button size="small" variant="ghost" icon={Download} busy={file.isPending} onClick={() => file.mutate()}>
            {words.csv}
          </Button>
        </div>
      }
    >
      <Stack gap={5}>
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton lines={5} />}
        {data?.currencies.length === 0 && <Text tone="muted">{words.noEntries}</Text>}
        {data !== undefined && data.currencies.length > 0 && (
          <Checkbox label={words.all} checked={all} onChange={setAll} />
        )}
        {data?.currencies.map((each) => (
          <Lines key={each.currency} of={each} all={all} period={period} />
        ))}
      </Stack>
    </Card>
  );
}

type OfCurrency = Statement['currencies'][number];

type LinesProps = { readonly of: OfCurrency; readonly all: boolean; readonly period: Period };

/** Shows the ledger entries of one currency. Ledger entries that don't change the balance are hidden by default. */
function Lines({ of: { currency, opening, entries, closing }, all, period }: LinesProps) {
  const moving = all ? entries : entries.filter(({ effect }) => effect !== 0);
  const shown = moving.slice(0, SHOWN);
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={`${words.title}, ${currency}`}>
      <table className={styles.statement}>
        <thead>
          <tr>
            <th scope="col" className={styles.when}>
              {words.when}
            </th>
            <th scope="col">{words.what}</th>
            <th scope="col" className={styles.end}>
              {words.effect}
            </th>
            <th scope="col" className={styles.end}>
              {words.after}
            </th>
          </tr>
        </thead>
        <tbody>
          <Edge day={period.from} label={words.opening} change={NOTHING} amount={opening} currency={currency} />
          {shown.map((entry) => (
            <tr key={entry.id}>
              <td className={styles.when}>
                <Time at={entry.occurredAt} as="datetime" />
              </td>
              <td>
                <span className={styles.whenAbove}>
                  <Time at={entry.occurredAt} as="datetime" />
                </span>
                <What entry={entry} />
              </td>
              <td className={styles.end}>
                <Money minor={entry.effect} currency={currency} sign paleZero />
              </td>
              <td className={styles.end}>
                <Money minor={entry.balance} currency={currency} />
              </td>
            </tr>
          ))}
          {moving.length > SHOWN && (
            <tr>
              <td colSpan={4}>
                <Text tone="muted">{words.more(moving.length - SHOWN)}</Text>
              </td>
            </tr>
          )}
          <Edge
            day={addDays(period.until, -1)}
            label={words.closing}
            change={<Money minor={closing - opening} currency={currency} sign />}
            amount={closing}
            currency={currency}
          />
        </tbody>
      </table>
    </div>
  );
}

type EdgeProps = {
  readonly day: string;
  readonly label: string;
  readonly change: ReactNode;
  readonly amount: number;
  readonly currency: string;
};

function Edge({ day, label, change, amount, currency }: EdgeProps) {
  return (
    <tr className={styles.edge}>
      <td className={styles.when}>
        <Day day={day} />
      </td>
      <th scope="row">
        <span className={styles.whenAbove}>
          <Day day={day} />
        </span>
        {label}
      </th>
      <td className={styles.end}>{change}</td>
      <td className={styles.end}>
        <Money minor={amount} currency={currency} />
      </td>
    </tr>
  );
}

/** Shows the kind of a ledger entry, with links to its conversion and its payout. */
function What({ entry }: { readonly entry: OfCurrency['entries'][number] }) {
  const { kind, conversionId, payoutId, externalId } = entry;
  return (
    <>
      {words.kinds[kind] ?? kind}
      {conversionId !== null && (
        <>
          {' '}
          <Link href={`/conversions/${conversionId}`}>
            {externalId ?? formatCount(entry.transactionId ?? conversionId)}
          </Link>
        </>
      )}
      {payoutId !== null && (
        <>
          {' '}
          <Link href={`/payouts/${payoutId}`}>{words.payout(payoutId)}</Link>
        </>
      )}
    </>
  );
}
