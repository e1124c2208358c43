import { useQuery } from '@tanstack/react-query';
import type { Balance } from '@whence/sdk';
import { payouts } from './payouts-texts.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Facts } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Grid, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { balanceQuery } from './balance-query.ts';
import { PayoutRequest } from './payout-request.tsx';
import styles from './payouts.module.css';

const texts = payouts.balance;

/** Shows one balance card per currency. */
export function Balances() {
  const { data, error, refetch } = useQuery(balanceQuery(useApi()));
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={172} />;
  if (data.length === 0) {
    return (
      <Card title={texts.none}>
        <Text tone="muted">{texts.noneDetail}</Text>
      </Card>
    );
  }
  return (
    <Grid min={300} gap={4}>
      {data.map((balance) => (
        <OneBalance key={balance.currency} balance={balance} />
      ))}
    </Grid>
  );
}

function OneBalance({ balance: { currency, balance, pending, inPayout, draft, paid } }: { readonly balance: Balance }) {
  const shown = (minor: number) => <Money minor={minor} currency={currency} paleZero />;
  const facts = [
    { label: texts.ready, value: shown(pending) },
    { label: texts.inPayout, value: shown(inPayout) },
    { label: texts.draft, value: shown(draft) },
    { label: texts.paid, value: shown(paid) },
  ];
  return (
    <Card title={texts.title(currency)}>
      <Stack gap={3}>
        <div>
          <div className={styles.total}>
            <Money minor={balance} currency={currency} />
          </div>
          <Text tone="muted">{texts.total}</Text>
        </div>
        <div className={styles.parts}>
          <Facts items={facts} />
        </div>
        {pending < 0 && (
          <Text tone="muted" size="small" as="p">
            {texts.debt}
          </Text>
        )}
        {pending > 0 && <PayoutRequest currency={currency} pending={pending} />}
      </Stack>
    </Card>
  );
}
