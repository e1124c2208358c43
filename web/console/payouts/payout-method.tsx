import type { Payout } from '@whence/sdk';
import { payoutWords } from '#web/ui/formats/payout-words.ts';
import { Text } from '#web/ui/controls/text.tsx';

/** Shows how a payee is paid. */
export function PayoutMethod({ method }: { readonly method: Payout['payoutMethod'] }) {
  return <Text tone={method === 'none' ? 'bad' : 'muted'}>{payoutWords.methods[method]}</Text>;
}
