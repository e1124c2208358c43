import type { Conversion } from '@whence/sdk';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { conversions as texts } from './conversions-texts.ts';

/** Shows the status of a commission. An approved commission in a paid payout is shown as paid. */
export function ConversionStatus({ conversion }: { readonly conversion: Conversion }) {
  const status = shownStatus(conversion);
  return <StatusBadge status={status} label={texts.statuses[status]} />;
}

/** Returns the status of a commission, or `paid` if it is approved and its payout is paid. */
export function shownStatus({ status, paidAt }: Conversion): string {
  return status === 'approved' && paidAt !== null ? 'paid' : status;
}
