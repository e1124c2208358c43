import { useQuery } from '@tanstack/react-query';
import { collaborators as texts } from '#console/texts/collaborators.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Money } from '#ui/money.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Grid, Stack } from '#ui/stack.tsx';
import { Stat } from '#ui/stat.tsx';
import { Text } from '#ui/text.tsx';

const words = texts.money;

/** What somebody has in each currency. */
export function Balances({ collaboratorId: id }: { readonly collaboratorId: number }) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['balances', 'of', id],
    queryFn: ({ signal }) => api.collaborators.getBalance(id, { signal }),
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data?.length === 0) return <Text tone="muted">{words.nothing}</Text>;
  const payouts = `/payouts?tab=payouts&collaboratorId=${id}`;
  return (
    <Stack gap={3}>
      {(data ?? [undefined]).map((balance) => {
        const amount = (of: 'draft' | 'pending' | 'inPayout' | 'paid') =>
          balance && <Money minor={balance[of]} currency={balance.currency} />;
        return (
          <Grid key={balance?.currency ?? ''} min={160} gap={3}>
            <Stat
              label={words.draft}
              value={amount('draft')}
              href={`/conversions?tab=all&collaboratorId=${id}&status=pending`}
            />
            <Stat label={words.pending} value={amount('pending')} href={`/collaborators/${id}?tab=money`} />
            <Stat label={words.inPayout} value={amount('inPayout')} href={payouts} />
            <Stat label={words.paid} value={amount('paid')} href={payouts} />
          </Grid>
        );
      })}
    </Stack>
  );
}
