import { Mail } from 'lucide-react';
import { payouts as texts } from './payouts-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { sendInParts } from '#web/ui/feedback/in-parts.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { placeOf } from '#web/ui/shell/place.ts';

/** Emails partners to add their payout details. `payees` returns the ids of the partners. */
export function RemindButton({ payees }: { readonly payees: () => Promise<readonly number[]> }) {
  const remind = useCall(
    async (api) =>
      sendInParts(
        await payees(),
        (ids) => api.collaborators.remindPayoutDetails({ ids }),
        () => {},
      ),
    {
      onDone: (outcomes) => {
        const reminded = outcomes.filter(({ outcome }) => outcome === 'reminded').length;
        const skipped = outcomes.length - reminded;
        if (!placeOf(document).sendsMail) {
          toast.info(texts.details.notSent);
          return;
        }
        if (reminded > 0) toast.success(texts.details.reminded(reminded));
        if (skipped > 0) toast.info(texts.details.notReminded(skipped));
      },
      onError: toast.error,
    },
  );
  return (
    <Button size="small" icon={Mail} busy={remind.isPending} onClick={() => remind.mutate()}>
      {texts.details.remind}
    </Button>
  );
}
