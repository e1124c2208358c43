import { USUAL_HOLDS } from '#examples/recipes/recipes.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Program } from '@whence/sdk';
import { Percent } from 'lucide-react';
import { useState } from 'react';
import { signUpQuery } from '../programs/sign-up-query.ts';
import { usePermission } from '../session.ts';
import { conversions } from './conversions-texts.ts';
import { fraudResults as results } from './fraud-results-texts.ts';
import { fraud as texts } from './fraud-texts.ts';
import styles from './conversions.module.css';
import { Badge } from '#web/ui/controls/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { formatCount } from '#web/ui/formats/numbers.ts';
import { listPage, type ListState } from '#web/ui/table/list-query.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';

type Holds = NonNullable<Program['holds']>;
/** A fraud signal with its limit as text. Without a limit, the fraud signal is off. */
type Limit = { readonly signal: string; readonly limit: string | undefined };

const COLUMNS: readonly Column<Program>[] = [
  { id: 'name', header: texts.program, cell: ({ name }) => name },
  {
    id: 'reviewed',
    header: texts.reviewed,
    cell: ({ holds }) => (holds === null ? <Badge>{texts.noSignals}</Badge> : <Limits limits={saleLimits(holds)} />),
  },
  { id: 'listed', header: texts.listed, cell: (program) => <PartnerLimits program={program} /> },
];

/** Explains the fraud signals, and shows the limits of each active program. Each program links to its editor. */
export function FraudSignals() {
  const api = useApi();
  const may = usePermission('resources:write');
  const [state, setState] = useState<ListState>({});
  return (
    <Stack gap={4}>
      <Text>{texts.help}</Text>
      <dl className={styles.signals}>
        {texts.explained.map(({ term, text }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <DataTable<Program>
        label={texts.signalsLabel}
        queryKey={['programs', 'signals']}
        load={async (query, signal) =>
          listPage(await api.programs.list({ ...(query as object), status: 'active' }, { signal }).page())
        }
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ name }) => texts.row(name)}
        rowHref={({ id }) => `/programs/${id}/edit`}
        rowActions={may ? (program) => program.holds === null && <TurnOn program={program} /> : undefined}
        state={state}
        onChange={(patch) => setState((now) => ({ ...now, ...patch }))}
        empty={<EmptyState icon={Percent} title={conversions.empty.programs} />}
      />
    </Stack>
  );
}

function Limits({ limits }: { readonly limits: readonly Limit[] }) {
  const on = limits.filter(({ limit }) => limit !== undefined);
  if (on.length === 0) return <Text tone="faint">{texts.off}</Text>;
  return (
    <ul className={styles.limits}>
      {on.map(({ signal, limit }) => (
        <li key={signal}>
          {signal}
          {limit !== '' && <Text tone="muted"> {limit}</Text>}
        </li>
      ))}
    </ul>
  );
}

function saleLimits(holds: Holds): Limit[] {
  const { visitsFromAddress, visitsOfCollaborator, secondsToSale, ownCoupon, adReferrers, buyerDetails } = holds;
  const named = (reason: string, limit: string | undefined) => ({
    signal: conversions.holdReasons[reason] ?? '',
    limit,
  });
  return [
    named('visits-from-address', limitText(visitsFromAddress, texts.anHour)),
    named('visits-of-collaborator', limitText(visitsOfCollaborator, texts.anHour)),
    named('quick-sale', limitText(secondsToSale, texts.seconds)),
    named('own-coupon', ownCoupon ? '' : undefined),
    named('ad-referrer', adReferrers.length === 0 ? undefined : texts.hosts(adReferrers.length)),
    named('buyer-details', buyerDetails.length === 0 ? undefined : texts.details(buyerDetails)),
  ];
}

/** Shows the limits for the results and the sign-ups of partners. */
function PartnerLimits({ program: { id, holds } }: { readonly program: Program }) {
  const { data } = useQuery(signUpQuery(useApi(), id));
  const named = (reason: keyof typeof results.reasons, limit: string | undefined) => ({
    signal: results.reasons[reason],
    limit,
  });
  return (
    <Limits
      limits={[
        named('low-conversion-rate', limitText(holds?.minConversionRate, texts.under)),
        named('high-conversion-rate', limitText(holds?.maxConversionRate, texts.over)),
        named('high-refund-rate', limitText(holds?.maxRefundRate, texts.over)),
        named('sign-ups-from-network', limitText(data?.signUp.signUpsFromNetwork, texts.fromCount)),
      ]}
    />
  );
}

function limitText(limit: number | null | undefined, words: (limit: string) => string): string | undefined {
  return limit === null || limit === undefined ? undefined : words(formatCount(limit));
}

/** Shows a button that turns on the default fraud signals. */
function TurnOn({ program: { id, name } }: { readonly program: Program }) {
  const api = useApi();
  const queries = useQueryClient();
  const change = async (holds: Program['holds']) => {
    await api.programs.update(id, { holds });
    await queries.invalidateQueries({ queryKey: ['programs'] });
  };
  const { mutate, isPending } = useMutation({
    mutationFn: () => change(USUAL_HOLDS),
    onSuccess: () => toast.withUndo({ title: texts.turnedOn(name), undo: () => change(null) }),
    onError: toast.error,
  });
  return (
    <Button size="small" aria-label={texts.turnOnOf(name)} busy={isPending} onClick={() => mutate()}>
      {texts.turnOn}
    </Button>
  );
}
