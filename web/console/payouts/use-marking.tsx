import { useQueryClient } from '@tanstack/react-query';
import type { MarkPayoutsAnswerRow, Payout } from '@whence/sdk';
import { Banknote, BanknoteX } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { payouts as texts } from './payouts-texts.ts';
import type { BulkAction } from '#web/ui/table/data-table.tsx';
import { sendInParts, type Sent } from '#web/ui/feedback/in-parts.ts';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { CHANGED } from './changed.ts';
import { Refusals } from './refusals.tsx';

export type Mark = 'mark-paid' | 'mark-unpaid';

const DONE = { 'mark-paid': texts.mark.paidDone, 'mark-unpaid': texts.mark.unpaidDone };
const OPPOSITE: Readonly<Record<Mark, Mark>> = { 'mark-paid': 'mark-unpaid', 'mark-unpaid': 'mark-paid' };

export type PayoutMarks = {
  /** Marks payouts immediately, and offers an undo. */
  readonly mark: (action: Mark, payouts: readonly Payout[]) => Promise<void>;
  readonly actions: readonly BulkAction<Payout>[];
  /** The progress of a long change, and then the payouts that could not be marked, with reasons. */
  readonly progress: ReactNode;
};

/** Returns actions that mark payouts as paid or unpaid. */
export function useMarkAsPaid(): PayoutMarks {
  const api = useApi();
  const client = useQueryClient();
  const [sent, setSent] = useState<Sent>();
  const [refused, setRefused] = useState<readonly MarkPayoutsAnswerRow[]>([]);
  const mark = useMemo(() => {
    const send = async (action: Mark, ids: readonly number[]): Promise<readonly MarkPayoutsAnswerRow[]> => {
      const reload = () => Promise.all(CHANGED.map((noun) => client.invalidateQueries({ queryKey: [noun] })));
      const sending = sendInParts(ids, (some) => api.payouts.bulk({ action, ids: some }), setSent);
      // Also reload the list after an error, because the service may have marked some of the payouts.
      await sending.then(reload, reload);
      const outcomes = await sending;
      setRefused(outcomes.filter(({ outcome }) => outcome in texts.mark.outcomes));
      return outcomes;
    };
    return async (action: Mark, payouts: readonly Payout[]): Promise<void> => {
      const outcomes = await send(
        action,
        payouts.map(({ id }) => id),
      );
      const changed = outcomes.flatMap(({ id, outcome }) => (outcome === 'changed' ? [id] : []));
      if (changed.length === 0) return;
      toast.withUndo({ title: DONE[action](changed.length), undo: () => send(OPPOSITE[action], changed) });
    };
  }, [api, client]);
  const actions = useMemo<readonly BulkAction<Payout>[]>(
    () => [
      {
        id: 'mark-paid',
        label: texts.mark.paid,
        icon: Banknote,
        hotkey: 'p',
        enabled: (rows) => rows.every(({ status }) => status === 'unpaid'),
        run: (rows) => mark('mark-paid', rows),
      },
      {
        id: 'mark-unpaid',
        label: texts.mark.unpaid,
        icon: BanknoteX,
        enabled: (rows) => rows.every(({ status }) => status === 'paid'),
        run: (rows) => mark('mark-unpaid', rows),
      },
    ],
    [mark],
  );
  const progress = (
    <>
      {sent !== undefined && <Progress label={texts.mark.underWay} {...sent} />}
      <Refusals
        title={texts.mark.refused}
        rows={refused}
        words={texts.mark.outcomes}
        onDismiss={() => setRefused([])}
      />
    </>
  );
  return { mark, actions, progress };
}
