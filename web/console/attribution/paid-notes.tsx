import { useQuery } from '@tanstack/react-query';
import type { Payout, PayoutFlag, Whence } from '@whence/sdk';
import type { ReactNode } from 'react';
import { conversions as texts } from './conversions-texts.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { useApi } from '#web/ui/shell/api.tsx';

type PaidNotesProps = {
  readonly conversionId: number;
  /** Shown if no payout has an amount of the conversion that is no longer owed. */
  readonly otherwise?: ReactNode;
  /** Whether the notes follow a sentence without a full stop. */
  readonly isSentence?: boolean;
};

/**
 * Shows the amounts of a conversion that are no longer owed although a payout has them, and the decision to keep them
 * or claw them back. A payout shows only its newest flags, so a payout that may have older flags of the conversion is
 * linked.
 */
export function PaidNotes({ conversionId, otherwise, isSentence = false }: PaidNotesProps) {
  const { data } = useQuery(flagsQuery(useApi(), conversionId));
  if (data === undefined) return null;
  const { flags, withOlder } = data;
  if (flags.length === 0) {
    if (withOlder.length === 0) return otherwise;
    return withOlder.map(({ id }) => (
      <span key={id}>
        {isSentence && '. '}
        {texts.paid.older} <Link href={`/payouts/${id}`}>{texts.payout(id)}</Link>
        {'. '}
      </span>
    ));
  }
  return flags.map(({ payout, flag }, at) => (
    <span key={`${flag.obligationId} ${flag.createdAt}`}>
      {at === 0 && isSentence && '. '}
      <Money minor={flag.amount} currency={payout.currency} /> {texts.paid[placeOf(payout, flag)]}{' '}
      <Link href={`/payouts/${payout.id}`}>{texts.payout(payout.id)}</Link>
      {'. '}
      {flag.resolution === undefined ? (
        <Link href={`/payouts/${payout.id}`}>{texts.paid.decide}</Link>
      ) : (
        texts.paid.decided[flag.resolution]
      )}{' '}
    </span>
  ));
}

/**
 * Returns whether the payout with the amount is paid or unpaid, or whether a clawback removed the amount before the
 * payment.
 */
function placeOf({ paidAt }: Payout, { resolution, resolvedAt = '' }: PayoutFlag): 'paid' | 'unpaid' | 'removed' {
  if (resolution === 'claw-back') return paidAt !== null && paidAt <= resolvedAt ? 'paid' : 'removed';
  return paidAt === null ? 'unpaid' : 'paid';
}

type FlagsOfConversion = {
  readonly flags: readonly { readonly payout: Payout; readonly flag: PayoutFlag }[];
  /** The payouts with flags that are not shown. */
  readonly withOlder: readonly Payout[];
};

const MOST = 100;

/** Loads the flags of a conversion in all payouts. Flags of void payouts are omitted, because nothing was paid. */
function flagsQuery(api: Whence, conversionId: number) {
  return {
    queryKey: ['payouts', 'flags-of', conversionId],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<FlagsOfConversion> => {
      const { data } = await api.obligations.list({ conversionId, perPage: MOST }, { signal }).page();
      const ids = [...new Set(data.flatMap(({ payoutId }) => payoutId ?? []))];
      if (ids.length === 0) return { flags: [], withOlder: [] };
      const found = await api.payouts.list({ ids: ids.join(','), perPage: MOST }, { signal }).page();
      const payouts = found.data.filter(({ status }) => status !== 'void');
      return {
        flags: payouts
          .flatMap((payout) => payout.review.reasons.map((flag) => ({ payout, flag })))
          .filter(({ flag }) => flag.conversionId === conversionId && flag.resolution !== 'void'),
        withOlder: payouts.filter(({ review }) => review.reasonCount > review.reasons.length),
      };
    },
  };
}
