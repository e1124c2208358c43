import type { Backtest } from '@whence/sdk';
import { History } from 'lucide-react';
import { usePermission } from '../session.ts';
import type { DraftResult, Total } from './backtest-query.ts';
import { backtests as texts } from './backtests-texts.ts';
import { DraftDetails, TABS } from './draft-details.tsx';
import { MakeLiveButton } from './make-live.tsx';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { formatCount, formatPercent, NOTHING } from '#web/ui/formats/numbers.ts';
import { choiceField, optionalField, useListState } from '#web/ui/shell/list-state.ts';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import styles from './backtests.module.css';

const words = texts.summary;

const SCHEMA = {
  /** The number of the shown draft, from 1. */
  draft: optionalField(),
  currency: optionalField(),
  tab: choiceField(TABS, 'partners'),
};

/** Shows the totals of all drafts, and the details of one of them. */
export function BacktestResult({ backtest }: { readonly backtest: Backtest }) {
  const may = usePermission('resources:write');
  const [{ draft: number, currency: asked, tab }, change] = useListState(SCHEMA);
  const { drafts, decided, leftOut } = backtest;
  const currencies = [
    ...new Set(drafts.flatMap(({ result }) => (result?.totals ?? []).map((total) => total.currency))),
  ];
  const [usual] = (drafts[0]?.result?.totals ?? []).toSorted((a, b) => b.revenue - a.revenue);
  const currency = currencies.find((each) => each === asked) ?? usual?.currency;
  const shown = Math.min(Math.max(1, Number(number) || 1), drafts.length) - 1;
  const draft = drafts[shown];
  if (currency === undefined || draft === undefined || draft.result === null) {
    return (
      <EmptyState icon={History} title={texts.page.noSalesTitle}>
        {texts.page.noSales}
      </EmptyState>
    );
  }
  return (
    <Stack gap={5}>
      {leftOut !== null && leftOut > 0 && <Notice tone="info">{texts.page.leftOut(leftOut)}</Notice>}
      <Stack gap={3}>
        {currencies.length > 1 && (
          <div className={styles.choice}>
            <Select
              label={texts.currency}
              name="currency"
              options={currencies.map((value) => ({ value, label: value }))}
              value={currency}
              onChange={(value) => change({ currency: value })}
            />
          </div>
        )}
        <Summary
          backtest={backtest}
          currency={currency}
          onOpen={(index) => change({ draft: index === 0 ? undefined : String(index + 1) })}
        />
        <Text as="p" size="small" tone="muted">
          {decided !== null && texts.page.decided(decided)}
        </Text>
      </Stack>
      <Row justify="spread" align="end">
        {drafts.length > 1 ? (
          <div className={styles.choice}>
            <Select
              label={texts.draft}
              name="draft"
              options={drafts.map(({ name }, index) => ({ value: String(index + 1), label: name }))}
              value={String(shown + 1)}
              onChange={(value) => change({ draft: value })}
            />
          </div>
        ) : (
          <h2>{draft.name}</h2>
        )}
        {may && (
          <Row>
            {backtest.programId !== null && (
              <LinkButton href={`/programs/${backtest.programId}/edit?backtest=${backtest.id}&draft=${shown + 1}`}>
                {texts.page.edit}
              </LinkButton>
            )}
            <MakeLiveButton key={shown} backtest={backtest} draft={draft} />
          </Row>
        )}
      </Row>
      <DraftDetails
        key={`${shown} ${currency}`}
        id={`${backtest.id} ${shown}`}
        result={draft.result}
        currency={currency}
        tab={tab}
        onTab={(to) => change({ tab: to })}
      />
    </Stack>
  );
}

type SummaryProps = {
  readonly backtest: Backtest;
  readonly currency: string;
  readonly onOpen: (index: number) => void;
};

/** A row of the summary: the commissions in the books, or of a draft. */
type Line = {
  readonly index: number;
  readonly name: string;
  readonly commissions: number;
  readonly percent: number | null;
  readonly total: Total | undefined;
};

function Summary({ backtest: { id, drafts }, currency, onOpen }: SummaryProps) {
  const totalOf = (result: DraftResult | null) => result?.totals.find((total) => total.currency === currency);
  const books = drafts.map(({ result }) => totalOf(result)).find((total) => total !== undefined);
  const lines: Line[] = [
    {
      index: -1,
      name: words.books,
      commissions: books?.recorded ?? 0,
      percent: books?.recordedPercent ?? null,
      total: undefined,
    },
    ...drafts.map(({ name, result }, index) => {
      const total = totalOf(result);
      return { index, name, commissions: total?.drafted ?? 0, percent: total?.draftedPercent ?? null, total };
    }),
  ];
  return (
    <DataTable<Line>
      label={words.label}
      queryKey={['backtests', 'summary', id, currency]}
      load={() => Promise.resolve({ rows: lines, estimatedCount: lines.length })}
      columns={columnsOf(currency)}
      rowId={({ index }) => index}
      rowLabel={({ name }) => words.row(name)}
      state={{}}
      onChange={() => {}}
      onOpen={({ index }) => index >= 0 && onOpen(index)}
      hotkeys={false}
    />
  );
}

function columnsOf(currency: string): readonly Column<Line>[] {
  const ofDraft = (show: (total: Total) => React.ReactNode) => {
    return ({ total }: Line) => (total === undefined ? NOTHING : show(total));
  };
  return [
    { id: 'name', header: words.terms, cell: ({ name }) => name },
    {
      id: 'commissions',
      header: words.commissions,
      align: 'end',
      cell: ({ commissions }) => <Money minor={commissions} currency={currency} />,
    },
    {
      id: 'change',
      header: words.change,
      align: 'end',
      cell: ofDraft(({ drafted, recorded }) => <Money minor={drafted - recorded} currency={currency} sign />),
    },
    {
      id: 'percent',
      header: words.ofRevenue,
      align: 'end',
      cell: ({ percent }) => (percent === null ? NOTHING : formatPercent(percent / 100, { digits: 2 })),
    },
    {
      id: 'gaining',
      header: words.gaining,
      align: 'end',
      priority: 2,
      cell: ofDraft((each) => formatCount(each.gaining)),
    },
    {
      id: 'losing',
      header: words.losing,
      align: 'end',
      priority: 2,
      cell: ofDraft((each) => formatCount(each.losing)),
    },
    {
      id: 'hands',
      header: words.hands,
      align: 'end',
      priority: 2,
      cell: ofDraft((each) => formatCount(each.changingHands)),
    },
  ];
}
