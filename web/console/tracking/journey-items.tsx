import type { LedgerEntry } from '@whence/sdk';
import {
  Banknote,
  BanknoteX,
  Check,
  type LucideIcon,
  Merge,
  Minus,
  MousePointerClick,
  PackageOpen,
  PackagePlus,
  Radio,
  RotateCcw,
  RotateCw,
  ShoppingBag,
  Sparkles,
  Tag,
  Target,
  Undo2,
  X,
} from 'lucide-react';
import { CollaboratorName, ProgramName } from '../names.tsx';
import { opportunities as texts } from './opportunities-texts.ts';
import { Badge, StatusBadge, type Tone } from '#web/ui/controls/badge.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import type { TimelineItem } from '#web/ui/chart/timeline.tsx';
import type { Moment } from './journey-moments.ts';

const words = texts.journey;

/** Returns the timeline item for a moment of a journey, with links to the resources that it mentions. */
export function timelineItem(moment: Moment): TimelineItem {
  const { id, at } = moment;
  switch (moment.kind) {
    case 'touch':
      return {
        id,
        at,
        title: <TouchTitle {...moment} />,
        icon: TOUCHES[moment.touch.kind],
        ...body(touchBody(moment)),
      };
    case 'claim':
      return { id, at, title: <ClaimTitle {...moment} />, icon: Target };
    case 'merge':
      return {
        id,
        at,
        title: words.merged,
        icon: Merge,
        children: words.mergedOf(moment.merge.opportunityId, moment.merge.mergedInto),
      };
    case 'bought':
      return { id, at, title: <BoughtTitle {...moment} />, icon: ShoppingBag, tone: 'accent', ...body(nobody(moment)) };
    case 'refund':
      return { id, at, title: <RefundTitle {...moment} />, icon: RotateCcw, tone: 'warn' };
    case 'reversal':
      return { id, at, title: <ReversalTitle {...moment} />, icon: RotateCw, tone: 'good' };
    case 'correction':
      return { id, at, title: <CorrectionTitle {...moment} />, icon: RotateCw, tone: 'info' };
    case 'award':
      return { id, at, title: <AwardTitle {...moment} />, icon: Sparkles, tone: 'info', ...body(awardBody(moment)) };
    case 'paid':
      return { id, at, title: <PaidTitle {...moment} />, icon: Banknote, tone: 'good' };
    case 'money':
      return { id, at, title: <MoneyTitle {...moment} />, ...LOOKS[moment.entry.kind], ...body(moneyBody(moment)) };
    default:
      return moment satisfies never;
  }
}

const TOUCHES = { visit: MousePointerClick, coupon: Tag, custom: Radio };

const LOOKS: Readonly<Record<string, { readonly icon: LucideIcon; readonly tone: Tone }>> = {
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

/**
 * Returns the amount of a ledger entry, negative if less is owed. A clawback that is added to a payout run debits
 * `in-payout`, so its amount is also negative.
 */
function signed({ kind, amount, debit }: LedgerEntry): number {
  const isLess = LESS.has(kind) || (kind === 'fulfil' && debit === 'in-payout');
  return isLess ? -amount : amount;
}

type Of<Kind extends Moment['kind']> = Extract<Moment, { readonly kind: Kind }>;

function body(children: React.ReactNode): { readonly children?: React.ReactNode } {
  return children === undefined ? {} : { children };
}

function TouchTitle({ touch }: Of<'touch'>) {
  const who = <CollaboratorName id={touch.collaboratorId} />;
  const did = touch.kind === 'custom' ? undefined : words[touch.kind];
  return (
    <>
      {words.visitor} {did ?? words.custom}{' '}
      {touch.kind === 'custom' && (
        <>
          <code>{touch.event}</code> {words.customOf}{' '}
        </>
      )}
      {who} {touch.alias !== undefined && <Badge>{words.alias(touch.alias)}</Badge>}
    </>
  );
}

function touchBody({ touch, count, lastAt }: Of<'touch'>) {
  if (touch.reason !== undefined) {
    return (
      <Text tone="muted">
        {words.ignored} {words.reasons[touch.reason] ?? touch.reason}
      </Text>
    );
  }
  if (count === 1) return undefined;
  return (
    <Text tone="muted">
      {words.times(count)} <Time at={lastAt} as="datetime" />
    </Text>
  );
}

function ClaimTitle({ claim: { collaboratorId, programId, status, score } }: Of<'claim'>) {
  return (
    <>
      <CollaboratorName id={collaboratorId} /> {words.claim} <ProgramName id={programId} />{' '}
      <StatusBadge status={status} label={words.claimStates[status]} /> <Text tone="muted">{words.score(score)}</Text>
    </>
  );
}

function BoughtTitle({ bought }: Of<'bought'>) {
  const { kind, transactionId, externalId, source } = bought;
  return (
    <>
      {words[kind]} <Link href={`/sales/${transactionId}`}>{externalId}</Link>{' '}
      <Text tone="muted">{words.from(source)}</Text>
      {bought.kind !== 'lead' && ' '}
      {bought.kind !== 'lead' && (
        <strong>
          <Money minor={bought.total} currency={bought.currency} />
        </strong>
      )}
    </>
  );
}

function nobody({ bought: { transactionId }, earned }: Of<'bought'>) {
  if (earned) return undefined;
  return (
    <Text tone="muted">
      {words.nobody} <Link href={`/sales/${transactionId}`}>{words.why}</Link>
    </Text>
  );
}

function RefundTitle({ refund: { transactionId, externalId, refundedAmount, currency } }: Of<'refund'>) {
  return (
    <>
      {words.refund} <Link href={`/sales/${transactionId}`}>{externalId}</Link>{' '}
      <strong>
        <Money minor={-refundedAmount} currency={currency} />
      </strong>
    </>
  );
}

function ReversalTitle({ reversal: { transactionId, externalId, restoredAmount, currency } }: Of<'reversal'>) {
  return (
    <>
      {words.reversal} <Link href={`/sales/${transactionId}`}>{externalId}</Link>{' '}
      <strong>
        <Money minor={restoredAmount} currency={currency} />
      </strong>
    </>
  );
}

function CorrectionTitle({ correction: { transactionId, externalId, correctedAmount, currency } }: Of<'correction'>) {
  return (
    <>
      {words.correction} <Link href={`/sales/${transactionId}`}>{externalId}</Link>{' '}
      <strong>
        <Money minor={correctedAmount} currency={currency} />
      </strong>
    </>
  );
}

function AwardTitle({ conversion: { id, collaboratorId, programId, awarded, currency, type } }: Of<'award'>) {
  return (
    <>
      <CollaboratorName id={collaboratorId} /> {words.awarded}{' '}
      <Link href={`/conversions/${id}`}>
        <Money minor={awarded} currency={currency} />
      </Link>{' '}
      {words.inProgram} <ProgramName id={programId} />
      {type === 'manual' && ` ${words.byHand}`}
    </>
  );
}

function awardBody({ conversion: { note } }: Of<'award'>) {
  return note === undefined ? undefined : <Text tone="muted">{note}</Text>;
}

function MoneyTitle({ entry }: Of<'money'>) {
  const { kind, currency, conversionId, collaboratorId, payoutId } = entry;
  const money = <Money minor={signed(entry)} currency={currency} />;
  return (
    <>
      {words.entries[kind] ?? kind}{' '}
      {conversionId === null ? money : <Link href={`/conversions/${conversionId}`}>{money}</Link>} {words.of}{' '}
      <CollaboratorName id={collaboratorId} />
      {payoutId !== null && ', '}
      {payoutId !== null && <Link href={`/payouts/${payoutId}`}>{words.payout(payoutId)}</Link>}
    </>
  );
}

/** Shows a paid payout with its whole amount, because a payout is paid in full. */
function PaidTitle({ payout: { id, amount, currency, collaboratorId } }: Of<'paid'>) {
  return (
    <>
      {words.paid} <Link href={`/payouts/${id}`}>{words.payout(id)}</Link>, <Money minor={amount} currency={currency} />{' '}
      {words.inAll} <CollaboratorName id={collaboratorId} />
    </>
  );
}

function moneyBody({ entry: { kind }, conversion }: Of<'money'>) {
  if (kind !== 'reject' || conversion?.reason === undefined) return undefined;
  return <Text tone="muted">{conversion.reason}</Text>;
}
