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
import { moneyQuery } from './conversion-query.ts';

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

/** Shows the ledger entries of a conversion as a timeline. */
export function MoneyTimeline({ conversion }: { readonly conversion: Conversion }) {
  const { data, error, refetch } = useQuery(moneyQuery(useApi(), conversion.id));
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={4} />;
  if (data.entries.length === 0) return <Text tone="muted">{texts.one.notYet}</Text>;
  return (
    <Timeline
      label={texts.one.money}
      items={data.entries.map((entry) => ({
        id: entry.id,
        at: entry.occurredAt,
        title: <EntryTitle entry={entry} />,
        ...LOOKS[entry.kind],
        ...(entry.kind === 'reject' && conversion.reason !== undefined ? { children: conversion.reason } : {}),
      }))}
    />
  );
}

function EntryTitle({ entry: { kind, amount, currency, payoutId } }: { readonly entry: LedgerEntry }) {
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
