import { useQuery } from '@tanstack/react-query';
import { HandCoins } from 'lucide-react';
import { requestsQuery } from './balance-query.ts';
import { useSession } from '../session.ts';
import { payouts } from './payouts-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { shownProblem } from '#web/ui/feedback/shown-problem.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { useApi } from '#web/ui/shell/api.tsx';

const texts = payouts.request;

/** Lets a partner request a payout in one currency, if the merchant allows it. */
export function PayoutRequest({ currency, pending }: { readonly currency: string; readonly pending: number }) {
  const api = useApi();
  const { queryKey } = requestsQuery(api);
  const { agreementToAccept } = useSession();
  const { data } = useQuery(requestsQuery(api));
  const { mutate, isPending } = useCall((api) => api.portal.requestPayout({ currency }), {
    reloads: [queryKey],
    done: texts.done,
    onError: (error) => {
      // The detail of this refusal names the missing step, such as entering payout details.
      const { code, detail } = shownProblem(error);
      toast.error(code === 'invalid-transition' ? detail : error);
    },
  });
  // Until the agreement is accepted, the banner of the page asks the partner to accept it.
  if (data === undefined || data.minimum === null || agreementToAccept !== null) return null;
  const request = data.requests.find((each) => each.currency === currency);
  if (request !== undefined) {
    return (
      <Text tone="muted" as="p">
        {texts.requested} <Time at={request.createdAt} as="date" />
      </Text>
    );
  }
  if (pending < data.minimum) {
    return (
      <Text tone="muted" size="small" as="p">
        {texts.from} <Money minor={data.minimum} currency={currency} />
      </Text>
    );
  }
  return (
    <Row>
      <Button icon={HandCoins} busy={isPending} aria-label={texts.buttonIn(currency)} onClick={() => mutate()}>
        {texts.button}
      </Button>
    </Row>
  );
}
