import { useQuery } from '@tanstack/react-query';
import type { Conversion, Payout, PayoutFlag, Transaction, Whence } from '@whence/sdk';
import { payouts as texts } from './payouts-texts.ts';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { formatMoney } from '#web/ui/formats/money.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { openFlags } from './payout-columns.tsx';
import styles from './payouts.module.css';
import { effectsOf } from './review-effects.ts';

type Concerned = {
  readonly transactions: ReadonlyMap<number, Transaction>;
  readonly conversions: ReadonlyMap<number, Conversion>;
};

/**
 * Explains the newest undecided flags of a payout, and counts older flags. If there are several, also shows the total of
 * all their amounts.
 */
export function FlagList({ payout, name }: { readonly payout: Payout; readonly name: string }) {
  const flags = openFlags(payout);
  const older = payout.review.openCount - flags.length;
  const { data, error, refetch } = useQuery(concernedQuery(useApi(), payout.id, flags));
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={2} />;
  const money = (minor: number | bigint): string => formatMoney(minor, payout.currency);
  const sentences = flags.map((flag) => (
    <OneFlag key={`${flag.obligationId} ${flag.createdAt}`} flag={flag} concerned={data} name={name} money={money} />
  ));
  return (
    <Stack gap={2}>
      {flags.length === 1 ? (
        <p>{sentences[0]}</p>
      ) : (
        <>
          <ul className={styles.flags}>
            {sentences.map((words) => (
              <li key={words.key}>{words}</li>
            ))}
          </ul>
          {older > 0 && <Text as="p">{texts.review.older(older)}</Text>}
          <Text strong>{texts.review.inAll(money(effectsOf(payout).flagged))}</Text>
        </>
      )}
    </Stack>
  );
}

type OneFlagProps = {
  readonly flag: PayoutFlag;
  readonly concerned: Concerned;
  readonly name: string;
  readonly money: (minor: number) => string;
};

function OneFlag({ flag, concerned, name, money }: OneFlagProps) {
  const { transactionId, conversionId, reason, amount, createdAt } = flag;
  const sale = concerned.transactions.get(transactionId);
  const conversion = concerned.conversions.get(conversionId);
  const order = sale?.externalId ?? texts.review.order(transactionId);
  return (
    <>
      <Link href={`/sales/${transactionId}`}>{order}</Link> {texts.review.on(texts.review.flags[reason] ?? reason)}{' '}
      <Time at={createdAt} as="date" />
      {sale !== undefined &&
        (reason === 'refunded' || reason === 'partly-refunded') &&
        ` (${texts.review.back(money(sale.refundedAmount), money(sale.total))})`}
      {'. '}
      {conversion !== undefined && texts.review.worth(name, money(conversion.awarded), money(worthOf(conversion)))}{' '}
      <strong>{texts.review.notOwed(money(amount))}</strong>{' '}
      <Link href={`/conversions/${conversionId}`}>{texts.review.why}</Link>
    </>
  );
}

function worthOf({ status, amount }: Conversion): number {
  return status === 'rejected' ? 0 : amount;
}

const MOST_IDS = 100;

function concernedQuery(api: Whence, payoutId: number, flags: readonly PayoutFlag[]) {
  const some = (ids: readonly number[]): string => [...new Set(ids)].slice(0, MOST_IDS).join(',');
  const sales = some(flags.map(({ transactionId }) => transactionId));
  const earned = some(flags.map(({ conversionId }) => conversionId));
  return {
    queryKey: ['payouts', 'concerned', payoutId, sales, earned],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Concerned> => {
      const [transactions, conversions] = await Promise.all([
        api.transactions.list({ ids: sales, perPage: MOST_IDS }, { signal }).page(),
        api.conversions.list({ ids: earned, perPage: MOST_IDS }, { signal }).page(),
      ]);
      return { transactions: byId(transactions.data), conversions: byId(conversions.data) };
    },
  };
}

function byId<Of extends { readonly id: number }>(rows: readonly Of[]): ReadonlyMap<number, Of> {
  return new Map(rows.map((row) => [row.id, row]));
}
