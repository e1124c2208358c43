import { useQuery } from '@tanstack/react-query';
import type { Conversion, Payout, Whence } from '@whence/sdk';
import { HandCoins, Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { usePermission } from '../session.ts';
import { payouts as texts } from './payouts-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { formatMoney } from '#web/ui/formats/money.ts';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { TextArea } from '#web/ui/form/text-field.tsx';
import { FlagList } from './flag-list.tsx';
import { effectsOf, releasedBy, type ReviewEffects } from './review-effects.ts';
import { LONGEST_NOTE } from './review-dialog.tsx';
import { type Resolution, useReview, useReviews } from './undoable-reviews.ts';

export type PayoutReviewProps = { readonly payout: Payout; readonly name: string };

/**
 * Explains the flags of a payout, and lets the user keep or claw back the amounts. The previewed effects are exact to
 * the cent for payouts with up to MOST_PARTS obligations.
 */
export function PayoutReview({ payout, name }: PayoutReviewProps) {
  const may = usePermission('resources:write');
  const decided = useReviews().undoable.has(payout.id);
  return (
    <Card title={texts.review.title}>
      <Stack gap={4}>
        <FlagList payout={payout} name={name} />
        {may && !decided && <Decision payout={payout} name={name} />}
      </Stack>
    </Card>
  );
}

function Decision({ payout, name }: PayoutReviewProps) {
  const review = useReview();
  const [resolution, setResolution] = useState<Resolution | null>(null);
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const words = useEffectWords(payout, name);
  const submit = (): void => {
    setTried(true);
    if (resolution !== null && note.trim() !== '') review(resolution, note.trim(), [payout]);
  };
  return (
    <Form onSubmit={submit}>
      <RadioCards<Resolution>
        label={texts.review.question}
        name="resolution"
        min={280}
        value={resolution}
        onChange={setResolution}
        error={tried && resolution === null ? texts.review.undecided : undefined}
        options={[
          { value: 'keep', label: texts.review.keep, icon: HandCoins, description: words.keep },
          { value: 'claw-back', label: texts.review.clawBack, icon: Undo2, description: words.clawBack },
        ]}
      />
      <TextArea
        label={texts.review.note}
        name="note"
        description={texts.review.noteHelp}
        required
        rows={2}
        maxLength={LONGEST_NOTE}
        value={note}
        onChange={setNote}
        error={tried && note.trim() === '' ? texts.review.noteMissing : undefined}
      />
      <FormActions submitLabel={resolution === null ? texts.review.decideAny : texts.review.decide[resolution]} />
    </Form>
  );
}

type EffectWords = { readonly keep: ReactNode; readonly clawBack: ReactNode };

function useEffectWords(payout: Payout, name: string): EffectWords {
  const { currency, amount, status, collaboratorId } = payout;
  const api = useApi();
  const effects = effectsOf(payout);
  const isVoided = effects.left === 0n;
  const { data: released } = useQuery({ ...releasedQuery(api, payout), enabled: isVoided });
  const { data: balances } = useRead(['balances', 'of', collaboratorId], (api, options) =>
    api.collaborators.getBalance(collaboratorId, options),
  );
  const money = (minor: bigint | number): string => formatMoney(minor, currency);
  const pending = balances?.find((balance) => balance.currency === currency)?.pending;
  const change = changeOf(effects, released);
  const afterwards =
    pending === undefined || change === undefined || change === 0n
      ? undefined
      : texts.review.effects.afterwards(name, money(pending), money(BigInt(pending) + change));
  return {
    keep:
      status === 'paid'
        ? texts.review.effects.keepPaid(money(effects.flagged), name)
        : texts.review.effects.keepUnpaid(money(amount), name, money(effects.flagged)),
    clawBack: [...clawBackWords(effects, { released, name, amount, money }), afterwards].filter(Boolean).join(' '),
  };
}

/**
 * Returns by how much a clawback changes the amount that is ready to pay to the partner, or undefined while data loads.
 */
function changeOf({ left, flagged }: ReviewEffects, released: bigint | undefined): bigint | undefined {
  if (left === null) return -flagged;
  return left > 0n ? 0n : released;
}

type ClawBackFacts = {
  readonly released: bigint | undefined;
  readonly name: string;
  readonly amount: number;
  readonly money: (minor: bigint | number) => string;
};

function clawBackWords({ flagged, left }: ReviewEffects, { released, name, amount, money }: ClawBackFacts): string[] {
  const { effects } = texts.review;
  if (left === null) return [effects.clawPaid(money(flagged), name)];
  if (left > 0n) return [effects.clawUnpaid(money(amount), money(left))];
  const rest = released === undefined || released === 0n ? [] : [effects.clawVoidRest(money(released))];
  return [effects.clawVoid(name), ...rest];
}

/**
 * The maximum number of obligations to load. They matter only if a clawback voids the payout, which is unlikely for a
 * payout with more obligations.
 */
const MOST_PARTS = 1_000;
const MOST_IDS = 100;

function releasedQuery(api: Whence, { id }: Payout) {
  return {
    queryKey: ['obligations', 'released-by', id],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<bigint> => {
      const held = await api.obligations.list({ payoutId: id }, { signal }).toArray({ limit: MOST_PARTS });
      const ids = [...new Set(held.map(({ conversionId }) => conversionId))];
      const conversions = new Map<number, Conversion>();
      for (let at = 0; at < ids.length; at += MOST_IDS) {
        const some = ids.slice(at, at + MOST_IDS);
        const { data } = await api.conversions.list({ ids: some.join(','), perPage: MOST_IDS }, { signal }).page();
        for (const conversion of data) conversions.set(conversion.id, conversion);
      }
      return releasedBy(held, conversions);
    },
  };
}
