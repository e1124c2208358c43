import { collaborators as texts } from './collaborators-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Grid, Stack } from '#web/ui/controls/stack.tsx';
import { Stat } from '#web/ui/chart/stat.tsx';
import { Text } from '#web/ui/controls/text.tsx';

const words = texts.money;

/** Shows a partner's balance in each currency. */
export function Balances({ collaboratorId: id }: { readonly collaboratorId: number }) {
  const { data, error, refetch } = useRead(['balances', 'of', id], (api, options) =>
    api.collaborators.getBalance(id, options),
  );
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
