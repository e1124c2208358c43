import type { Conversion, Journey, LedgerEntry, Payout } from '@whence/sdk';
import type { WholeJourney } from './journey-query.ts';

type Step = Journey['steps'][number];
type Of<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>;
type Touch = Of<'visit' | 'coupon' | 'custom'>;
type Bought = Of<'sale' | 'renewal' | 'lead'>;

/** A moment of a journey. A moment of the kind `touch` can represent several touches of the same kind. */
export type Moment = { readonly id: string; readonly at: string } & (
  | { readonly kind: 'touch'; readonly touch: Touch; readonly count: number; readonly lastAt: string }
  | { readonly kind: 'claim'; readonly claim: Of<'engagement'> }
  | { readonly kind: 'merge'; readonly merge: Of<'merge'> }
  | { readonly kind: 'bought'; readonly bought: Bought; readonly earned: boolean }
  | { readonly kind: 'refund'; readonly refund: Of<'refund'> }
  | { readonly kind: 'reversal'; readonly reversal: Of<'refund-reversal'> }
  | { readonly kind: 'correction'; readonly correction: Of<'correction'> }
  | { readonly kind: 'award'; readonly conversion: Conversion }
  | { readonly kind: 'paid'; readonly payout: Payout }
  | { readonly kind: 'money'; readonly entry: LedgerEntry; readonly conversion: Conversion | undefined }
);

/** Returns the moments of a journey in time order, from touches and sales to ledger entries and payments. */
export function momentsOf({ journey, conversions, entries, payouts }: WholeJourney): Moment[] {
  const byConversion = new Map(conversions.map((conversion) => [conversion.id, conversion]));
  const earning = new Set(conversions.map(({ transactionId }) => transactionId));
  const moments = [
    ...touches(journey.steps),
    ...journey.steps.flatMap((step, place) => momentOf(step, place, earning)),
    ...conversions.map((conversion): Moment => ({
      id: `award ${conversion.id}`,
      at: conversion.createdAt,
      kind: 'award',
      conversion,
    })),
    ...payouts.flatMap((payout): Moment[] =>
      payout.paidAt === null ? [] : [{ id: `paid ${payout.id}`, at: payout.paidAt, kind: 'paid', payout }],
    ),
    ...entries
      .filter(({ kind }) => kind !== 'award')
      .map((entry): Moment => ({
        id: `entry ${entry.id}`,
        at: entry.occurredAt,
        kind: 'money',
        entry,
        conversion: byConversion.get(entry.conversionId ?? 0),
      })),
  ];
  // Sort moments of the same millisecond by cause and effect: visits before claims, and sales before awards.
  return moments.sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || RANK[a.kind] - RANK[b.kind]);
}

const RANK: Readonly<Record<Moment['kind'], number>> = {
  touch: 0,
  merge: 1,
  claim: 2,
  bought: 3,
  refund: 4,
  reversal: 4,
  correction: 4,
  award: 5,
  money: 6,
  paid: 7,
};

function momentOf(step: Step, place: number, earning: ReadonlySet<number>): Moment[] {
  const id = `step ${place}`;
  switch (step.kind) {
    case 'engagement':
      return [{ id, at: step.at, kind: 'claim', claim: step }];
    case 'merge':
      // Merges that earlier versions of Whence recorded have no time, so they can't be placed in the journey.
      return step.at === null ? [] : [{ id, at: step.at, kind: 'merge', merge: step }];
    case 'sale':
    case 'renewal':
    case 'lead':
      return [{ id, at: step.at, kind: 'bought', bought: step, earned: earning.has(step.transactionId) }];
    case 'refund':
      return [{ id, at: step.at, kind: 'refund', refund: step }];
    case 'refund-reversal':
      return [{ id, at: step.at, kind: 'reversal', reversal: step }];
    case 'correction':
      return [{ id, at: step.at, kind: 'correction', correction: step }];
    case 'visit':
    case 'coupon':
    case 'custom':
      return [];
    default:
      return step satisfies never;
  }
}

/**
 * Returns the touches of a journey as moments. Consecutive touches are combined if they have the same kind, custom
 * event, partner, code and reason, even if claims are between them.
 */
function touches(steps: readonly Step[]): Moment[] {
  const moments: Extract<Moment, { kind: 'touch' }>[] = [];
  let last: Touch | undefined;
  for (const step of steps) {
    if (step.kind === 'engagement') continue;
    if (!isTouch(step)) {
      last = undefined;
      continue;
    }
    const before = moments.at(-1);
    if (before !== undefined && last !== undefined && isAlike(last, step)) {
      moments[moments.length - 1] = { ...before, count: before.count + 1, lastAt: step.at };
    } else {
      moments.push({
        id: `touch ${step.eventId}`,
        at: step.at,
        kind: 'touch',
        touch: step,
        count: 1,
        lastAt: step.at,
      });
    }
    last = step;
  }
  return moments;
}

function isTouch(step: Step): step is Touch {
  return step.kind === 'visit' || step.kind === 'coupon' || step.kind === 'custom';
}

function isAlike(one: Touch, other: Touch): boolean {
  const event = (touch: Touch) => (touch.kind === 'custom' ? touch.event : '');
  return (
    one.kind === other.kind &&
    event(one) === event(other) &&
    one.collaboratorId === other.collaboratorId &&
    one.alias === other.alias &&
    one.reason === other.reason
  );
}
