import type { PortalStatement } from '@whence/sdk';
import { payouts } from './payouts-texts.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time, TimesTakeFocus } from '#web/ui/controls/time.tsx';
import styles from './payouts.module.css';

const texts = payouts.statement;

export type Change = PortalStatement['currencies'][number]['entries'][number];

/** The maximum number of changes shown per currency, starting with the newest. The CSV file contains all changes. */
const SHOWN = 200;

export function ChangeTable({ changes, currency }: { readonly changes: readonly Change[]; readonly currency: string }) {
  const shown = changes.slice(-SHOWN).toReversed();
  return (
    <table className={styles.statement}>
      <thead>
        <tr>
          <th scope="col">{texts.when}</th>
          <th scope="col">{texts.what}</th>
          <th scope="col">{texts.effect}</th>
          <th scope="col">{texts.after}</th>
        </tr>
      </thead>
      <tbody>
        <TimesTakeFocus value={false}>
          {shown.map((change) => (
            <Line key={change.id} change={change} currency={currency} />
          ))}
        </TimesTakeFocus>
        {changes.length > shown.length && (
          <tr>
            <td colSpan={4}>
              <Text tone="muted">{texts.more(changes.length - shown.length)}</Text>
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function Line({ change, currency }: { readonly change: Change; readonly currency: string }) {
  const { kind, occurredAt, effect, balance, conversionId, payoutId } = change;
  return (
    <tr>
      <td>
        <Time at={occurredAt} as="date" />
      </td>
      <td>
        {texts.kinds[kind]}
        <Text tone="muted" size="small" as="div">
          {payoutId !== null && texts.payout(payoutId)}{' '}
          {conversionId !== null && <Link href={`/conversions?ids=${conversionId}`}>{texts.whatFor}</Link>}
        </Text>
      </td>
      <td>
        <Money minor={effect} currency={currency} sign />
      </td>
      <td>
        <Money minor={balance} currency={currency} />
      </td>
    </tr>
  );
}
