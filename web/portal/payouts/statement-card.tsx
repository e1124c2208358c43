import { keepPreviousData } from '@tanstack/react-query';
import type { PortalStatement } from '@whence/sdk';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { periodOf } from '../period.ts';
import { payouts } from './payouts-texts.ts';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { classNames } from '#web/ui/controls/class-names.ts';
import { download } from '#web/ui/table/download.ts';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { getPageZone, startOf } from '#web/ui/formats/time.ts';
import { PeriodPicker } from '#web/ui/overlay/period-picker.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { ChangeTable } from './change-table.tsx';
import styles from './payouts.module.css';

const texts = payouts.statement;

type StatementState = { readonly from: string | undefined; readonly until: string | undefined };

type StatementCardProps = {
  readonly state: StatementState;
  readonly onChange: (patch: Partial<StatementState>) => void;
};

/** Shows the changes of the balance in a period, for each currency with ledger entries in the period. */
export function StatementCard({ state, onChange }: StatementCardProps) {
  const period = periodOf(state);
  const query = { from: startOf(period.from), to: startOf(period.until) };
  const { data, error, refetch } = useRead(
    ['portal', 'statement', query],
    (api, options) => api.portal.getStatement(query, options),
    { placeholderData: keepPreviousData },
  );
  const file = useCall((api) => api.portal.downloadStatement(query), {
    onDone: (csv) => download(new Blob([csv], { type: 'text/csv' }), texts.fileName(period.from)),
    onError: toast.error,
  });
  const moved = data?.currencies.filter(({ entries }) => entries.length > 0);
  return (
    <Card
      title={texts.title}
      description={texts.description(getPageZone())}
      actions={
        <Row gap={1}>
          <PeriodPicker value={period} onChange={onChange} />
          <Button icon={Download} variant="ghost" busy={file.isPending} onClick={() => file.mutate()}>
            {texts.csv}
          </Button>
        </Row>
      }
    >
      <Stack gap={5}>
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton lines={5} />}
        {moved?.length === 0 && <Text tone="muted">{texts.none}</Text>}
        {moved?.map((each) => (
          <OneCurrency key={each.currency} of={each} />
        ))}
      </Stack>
    </Card>
  );
}

type OfCurrency = PortalStatement['currencies'][number];

/** Shows the totals of one currency, and each change on request. */
function OneCurrency({ of }: { readonly of: OfCurrency }) {
  const [showsAll, setShowsAll] = useState(false);
  const { currency, opening, closing, totals, entries } = of;
  // Ledger entries that don't change the balance are only in the CSV file.
  const changes = entries.filter(({ effect }) => effect !== 0);
  return (
    <Stack gap={3} role="group" aria-label={`${texts.title}, ${currency}`}>
      <dl className={styles.sums}>
        <Sum label={texts.opening} minor={opening} currency={currency} edge />
        {totals
          .filter(({ effect }) => effect !== 0)
          .map(({ kind, effect }) => {
            const count = changes.filter((change) => change.kind === kind).length;
            return <Sum key={kind} label={texts.sum(texts.kinds[kind], count)} minor={effect} currency={currency} />;
          })}
        <Sum label={texts.closing} minor={closing} currency={currency} edge />
      </dl>
      {changes.length > 0 && (
        <Row>
          <Button size="small" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? texts.hide : texts.show(changes.length)}
          </Button>
        </Row>
      )}
      {showsAll && <ChangeTable changes={changes} currency={currency} />}
    </Stack>
  );
}

type SumProps = { readonly label: string; readonly minor: number; readonly currency: string; readonly edge?: boolean };

function Sum({ label, minor, currency, edge = false }: SumProps) {
  return (
    <div className={classNames(styles.sum, edge && styles.edge)}>
      <dt>{label}</dt>
      <dd>
        <Money minor={minor} currency={currency} sign={!edge} />
      </dd>
    </div>
  );
}
