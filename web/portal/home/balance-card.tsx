import { useQuery } from '@tanstack/react-query';
import type { Balance } from '@whence/sdk';
import { accountQuery } from '../settings/account-query.ts';
import { balanceQuery } from '../payouts/balance-query.ts';
import { home } from './home-texts.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import styles from './home.module.css';

const texts = home.balance;

export function BalanceCard() {
  const api = useApi();
  const { data, error, refetch } = useQuery(balanceQuery(api));
  const { data: account } = useQuery(accountQuery(api));
  const owes = data?.some(({ balance, draft }) => balance > 0 || draft > 0) === true;
  return (
    <Card title={texts.title} actions={<Link href="/payouts">{texts.all}</Link>}>
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={112} />}
      {data?.length === 0 && <Text tone="muted">{texts.none}</Text>}
      {data?.map((balance) => (
        <OneBalance key={balance.currency} balance={balance} />
      ))}
      {owes && account?.payoutDetails === null && (
        <p className={styles.currency}>
          <Link href="/settings">{texts.details}</Link>
        </p>
      )}
    </Card>
  );
}

function OneBalance({ balance: { currency, balance, inPayout, draft } }: { readonly balance: Balance }) {
  const parts = [
    { label: texts.inPayout, minor: inPayout },
    { label: texts.draft, minor: draft },
  ].filter(({ minor }) => minor !== 0);
  return (
    <div className={styles.currency}>
      <div className={styles.total}>
        <Money minor={balance} currency={currency} />
      </div>
      <Text tone="muted">{texts.total}</Text>
      {parts.length > 0 && (
        <dl className={styles.amounts}>
          {parts.map(({ label, minor }) => (
            <div key={label} className={styles.amount}>
              <dt>{label}</dt>
              <dd>
                <Money minor={minor} currency={currency} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
