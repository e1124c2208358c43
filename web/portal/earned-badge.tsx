import type { PortalConversion } from '@whence/sdk';
import { earned } from './earned-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';

type EarnedBadgeProps = { readonly conversion: Pick<PortalConversion, 'status' | 'paid'> };

/** Shows the status of a commission. A commission in a paid payout is shown as paid, not as approved. */
export function EarnedBadge({ conversion: { status, paid } }: EarnedBadgeProps) {
  return paid ? (
    <StatusBadge status="paid" label={earned.paid} />
  ) : (
    <StatusBadge status={status} label={earned.statuses[status]} />
  );
}
