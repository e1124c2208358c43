import { useQuery } from '@tanstack/react-query';
import type { Conversion, LedgerEntry } from '@whence/sdk';
import {
  Banknote,
  BanknoteX,
  Check,
  type LucideIcon,
  Minus,
  PackageOpen,
  PackagePlus,
  Sparkles,
  Undo2,
  X,
} from 'lucide-react';
import { conversions as texts } from './conversions-texts.ts';
import type { Tone } from '#web/ui/controls/badge.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Timeline } from '#web/ui/chart/timeline.tsx';
import { type ConversionMoney, moneyQuery } from './conversion-query.ts';

const LOOKS: Readonly<Record<string, { readonly icon: LucideIcon; readonly tone: Tone }>> = {
  award: { icon: Sparkles, tone: 'info' },
  approve: { icon: Check, tone: 'good' },
  reject: { icon: X, tone: 'bad' },
  reduce: { icon: Minus, tone: 'warn' },
  fulfil: { icon: PackagePlus, tone: 'info' },
  release: { icon: PackageOpen, tone: 'neutral' },
  pay: { icon: Banknote, tone: 'good' },
  unpay: { icon: BanknoteX, tone: 'warn' },
  'claw-back': { icon: Undo2, tone: 'bad' },
};

/** Kinds of ledger entries that reduce the amount owed. Their amounts are shown with a minus sign. */
const LESS = new Set(['reject', 'reduce', 'claw-back']);

/** Shows the ledger entries of a conversion and its payment as a timeline. */
export function MoneyTimeline({ conversion }: { readonly conversion: Conversion }) {
  const { data, error, refetch } = useQuery(moneyQuery(useApi(), conversion.id));
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={4} />;
  if (data.entries.length === 0) return <Text tone="muted">{texts.one.notYet}</Text>;
  return (
    <Timeline
      label={texts.one.money}
      items={[...data.entries, ...paymentOf(conversion, data)]
        .sort((a, b) => Date.parse(a.occurredAt) - Date.parse(b.occurredAt))
        .map((entry) => ({
          id: entry.id,
          at: entry.occurredAt,
          title: <EntryTitle entry={entry} />,
          ...LOOKS[entry.kind],
          ...(entry.kind === 'reject' && conversion.reason !== undefined ? { children: conversion.reason } : {}),
        }))}
    />
  );
}

type Entry = Pick<LedgerEntry, 'kind' | 'amount' | 'currency' | 'payoutId' | 'occurredAt'> & {
  readonly id: number | string;
};

/**
 * Returns the payment of a conversion as an entry of the timeline, or an empty array before the payment. The ledger
 * entry can't be shown, because it is for the whole payout.
 */
function paymentOf({ payoutId, paidAt, currency }: Conversion, { obligations }: ConversionMoney): Entry[] {
  if (paidAt === null) return [];
  const amount = obligations.find((each) => each.payoutId === payoutId && each.amount >= 0)?.amount ?? 0;
  return [{ id: 'payment', kind: 'pay', amount, currency, payoutId, occurredAt: paidAt }];
}

function EntryTitle({ entry: { kind, amount, currency, payoutId } }: { readonly entry: Entry }) {
  return (
    <Row gap={2} justify="spread">
      <span>
        {texts.entries[kind] ?? kind}
        {payoutId !== null && ' '}
        {payoutId !== null && <Link href={`/payouts/${payoutId}`}>{texts.payout(payoutId)}</Link>}
      </span>
      <Money minor={LESS.has(kind) ? -amount : amount} currency={currency} />
    </Row>
  );
}
