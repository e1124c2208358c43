import type { Conversion } from '@whence/sdk';
import { CollaboratorName, ProgramName } from '../names.tsx';
import { conversions as conversionTexts } from '../attribution/conversions-texts.ts';
import { shownStatus } from '../attribution/conversion-status.tsx';
import { sales as texts } from './sales-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { NOTHING } from '#web/ui/formats/numbers.ts';

/* The cells of a list of sales that summarize the conversions of a sale. */

type EarningsProps = { readonly conversions: readonly Conversion[] };

/** Shows the first partner with a commission on a sale, and the number of further partners. */
export function Earners({ conversions }: EarningsProps) {
  const [first, ...others] = new Set(conversions.map(({ collaboratorId }) => collaboratorId));
  if (first === undefined) return <Text tone="faint">{NOTHING}</Text>;
  return (
    <>
      <CollaboratorName id={first} link={false} />
      <More count={others.length} />
    </>
  );
}

/** Shows the first program with a commission on a sale, and the number of further programs. */
export function Programs({ conversions }: EarningsProps) {
  const [first, ...others] = new Set(conversions.map(({ programId }) => programId));
  if (first === undefined) return <Text tone="faint">{NOTHING}</Text>;
  return (
    <>
      <ProgramName id={first} link={false} />
      <More count={others.length} />
    </>
  );
}

function More({ count }: { readonly count: number }) {
  return count === 0 ? null : <Text tone="muted"> {texts.more(count)}</Text>;
}

/** Shows the sum of a sale's commissions in each currency. Rejected commissions count as 0. */
export function Commission({ conversions }: EarningsProps) {
  const sums = new Map<string, number>();
  for (const { amount, currency, status } of conversions) {
    sums.set(currency, (sums.get(currency) ?? 0) + (status === 'rejected' ? 0 : amount));
  }
  if (sums.size === 0) return <Text tone="faint">{NOTHING}</Text>;
  return [...sums].map(([currency, sum], n) => (
    <span key={currency}>
      {n > 0 && ', '}
      <Money minor={sum} currency={currency} />
    </span>
  ));
}

/** Shows the status of a sale's commissions. Different statuses are shown as mixed. */
export function CommissionStatus({ conversions }: EarningsProps) {
  const [status, ...others] = new Set(conversions.map(shownStatus));
  if (status === undefined) return <Text tone="faint">{NOTHING}</Text>;
  if (others.length > 0) return <StatusBadge status="processing" label={texts.mixed} />;
  return <StatusBadge status={status} label={conversionTexts.statuses[status]} />;
}
