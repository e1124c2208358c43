import { useQuery } from '@tanstack/react-query';
import type { PortalConversion } from '@whence/sdk';
import { wordsOf } from '../conversion-words.ts';
import { EarnedBadge } from '../earned-badge.tsx';
import { earned } from '../earned-texts.ts';
import { home } from './home-texts.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import styles from './home.module.css';

const texts = home.latest;

const SHOWN = 4;

export function LatestCard() {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['portal', 'conversions', 'latest'],
    queryFn: ({ signal }) => api.portal.listConversions({ perPage: SHOWN }, { signal }).page(),
  });
  return (
    <Card title={texts.title} actions={<Link href="/conversions">{texts.all}</Link>}>
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={6} />}
      {data?.data.length === 0 && (
        <Stack gap={1}>
          <Text strong>{texts.none}</Text>
          <Text tone="muted">{texts.noneDetail}</Text>
        </Stack>
      )}
      {data !== undefined && data.data.length > 0 && (
        <ul className={styles.earnings}>
          {data.data.map((conversion) => (
            <Earning key={conversion.id} conversion={conversion} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Earning({ conversion }: { readonly conversion: PortalConversion }) {
  const { type, status, programName, amount, currency, words, createdAt } = conversion;
  return (
    <li className={styles.earning}>
      <Row gap={2}>
        <EarnedBadge conversion={conversion} />
        <Text tone="muted" size="small">
          <Time at={createdAt} />
        </Text>
      </Row>
      <span className={status === 'rejected' ? styles.lost : undefined}>
        <Money minor={amount} currency={currency} />
      </span>
      <Text as="p" className={styles.why} size="small" tone="muted">
        {earned.types[type]}, {programName}. {wordsOf(words)}
      </Text>
    </li>
  );
}
