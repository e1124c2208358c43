import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FulfillmentPreview } from '@whence/sdk';
import { useDeferredValue, useState } from 'react';
import { payouts as texts } from './payouts-texts.ts';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { Button, LinkButton } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { MoneyField } from '#web/ui/form/money-field.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Grid, Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { CHANGED } from './changed.ts';
import { owedQuery } from './owed-query.ts';
import { PlannedRun } from './planned-run.tsx';
import { includedOf, type LineKey, requestOf } from './run-plan.ts';

export type NewRunDialogProps = {
  readonly open: boolean;
  /** The currency to start with, if any amount in it can be paid. */
  readonly currency?: string | undefined;
  readonly onClose: () => void;
};

/**
 * Shows the included and excluded partners, and then creates a payout run for the selected currency, or one for each
 * currency.
 */
export function NewRunDialog({ open, currency, onClose }: NewRunDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="large"
      title={texts.planning.title}
      description={texts.planning.description}
    >
      {open && <Planning first={currency} onClose={onClose} />}
    </Dialog>
  );
}

const ALL = 'all';

type PlanningProps = { readonly first: string | undefined; readonly onClose: () => void };

function Planning({ first, onClose }: PlanningProps) {
  const owed = useQuery({ ...owedQuery(useApi()), staleTime: 0 });
  if (owed.error !== null) return <ErrorPanel error={owed.error} onRetry={() => void owed.refetch()} />;
  if (owed.data === undefined) return <Skeleton lines={6} />;
  const currencies = owed.data.flatMap(({ currency, pending }) => (pending > 0 ? [currency] : []));
  if (currencies.length > 0) return <Plan {...{ currencies, first, onClose }} />;
  return (
    <EmptyState
      title={texts.planning.nothing}
      actions={
        <LinkButton variant="primary" href="/conversions">
          {texts.planning.toConversions}
        </LinkButton>
      }
    >
      {texts.planning.nothingHelp}
    </EmptyState>
  );
}

function Plan({ currencies, first, onClose }: PlanningProps & { readonly currencies: readonly string[] }) {
  const start = currencies.length === 1 ? currencies[0] : currencies.find((each) => each === first);
  const [currency, setCurrency] = useState(start ?? ALL);
  const [minimum, setMinimum] = useState<number | null>(null);
  const [leftOut, setLeftOut] = useState<ReadonlySet<LineKey>>(new Set());
  const typed = useDeferredValue(minimum);
  const given = {
    ...(currency === ALL ? {} : { currency }),
    // A minimum needs a single currency, because the same number has a different value in each currency.
    ...(currency === ALL || typed === null ? {} : { minimum: typed }),
  };
  const preview = useRead(
    ['fulfillments', 'preview', given],
    (api, options) => api.fulfillments.preview(given, options),
    { placeholderData: keepPreviousData, staleTime: 0 },
  );
  const toggle = (key: LineKey): void => {
    const next = new Set(leftOut);
    if (!next.delete(key)) next.add(key);
    setLeftOut(next);
  };
  return (
    <Stack gap={4}>
      <Grid min={220}>
        <Select
          label={texts.planning.currency}
          options={[
            ...(currencies.length > 1 ? [{ value: ALL, label: texts.planning.allCurrencies }] : []),
            ...currencies.map((each) => ({ value: each, label: each })),
          ]}
          value={currency}
          onChange={setCurrency}
        />
        <MoneyField
          label={texts.planning.minimum}
          optional
          description={currency === ALL ? texts.planning.minimumOfOne : texts.planning.minimumHelp}
          disabled={currency === ALL}
          currency={currency === ALL ? '' : currency}
          value={currency === ALL ? null : minimum}
          onChange={setMinimum}
        />
      </Grid>
      {preview.error !== null && <ErrorPanel error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.data === undefined ? (
        preview.error === null && (
          <>
            <Progress label={texts.planning.adding} done={null} />
            <Skeleton lines={6} />
          </>
        )
      ) : (
        <>
          {preview.data.map((run) => (
            <PlannedRun key={run.currency} run={run} leftOut={leftOut} onToggle={toggle} />
          ))}
          <MakeRun
            preview={preview.data}
            waiting={preview.isPlaceholderData || preview.isFetching}
            leftOut={leftOut}
            given={given}
            onClose={onClose}
          />
        </>
      )}
    </Stack>
  );
}

type MakeRunProps = {
  readonly preview: readonly FulfillmentPreview[];
  readonly waiting: boolean;
  readonly leftOut: ReadonlySet<LineKey>;
  readonly given: { readonly currency?: string; readonly minimum?: number };
  readonly onClose: () => void;
};

function MakeRun({ preview, waiting, leftOut, given, onClose }: MakeRunProps) {
  const { navigate } = useLinks();
  const request = requestOf(preview, leftOut, given);
  const count = includedOf(preview, leftOut).reduce((sum, { payouts }) => sum + payouts.length, 0);
  const make = useCall((api) => api.fulfillments.create(request), {
    reloads: CHANGED,
    done: (runs) => texts.planning.made(runs.reduce((sum, { payouts }) => sum + payouts, 0)),
    onDone: (runs) => {
      const [first] = runs;
      navigate(runs.length === 1 && first !== undefined ? `/payouts/runs/${first.id}` : '/payouts?tab=runs');
    },
  });
  return (
    <Stack gap={3}>
      <Text as="p" size="small" tone="muted">
        {texts.planning.alsoNot}
      </Text>
      {make.error !== null && <ErrorPanel error={make.error} />}
      {make.isPending && <Progress label={texts.planning.making} done={null} />}
      <Row justify="end">
        <Button onClick={onClose}>{texts.planning.cancel}</Button>
        <Button
          variant="primary"
          disabled={count === 0 || request === undefined}
          busy={make.isPending || (waiting && count > 0)}
          onClick={() => make.mutate()}
        >
          {texts.planning.make(count)}
        </Button>
      </Row>
    </Stack>
  );
}
