import type { Program } from '@whence/sdk';
import { Percent } from 'lucide-react';
import { useState } from 'react';
import { conversions } from './conversions-texts.ts';
import { fraud as texts } from './fraud-texts.ts';
import styles from './conversions.module.css';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { formatCount } from '#web/ui/formats/numbers.ts';
import { listPage, type ListState } from '#web/ui/table/list-query.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';

type Holds = NonNullable<Program['holds']>;

function signal(id: keyof Holds, reason: string, words: (holds: Holds) => string | undefined): Column<Program> {
  return {
    id,
    header: conversions.holdReasons[reason] ?? reason,
    cell: ({ holds }) => (holds === null ? undefined : words(holds)) ?? <Text tone="faint">{texts.off}</Text>,
  };
}

const limit = (count: number | null, words: (count: string) => string) =>
  count === null ? undefined : words(formatCount(count));

const COLUMNS: readonly Column<Program>[] = [
  { id: 'name', header: texts.program, cell: ({ name }) => name },
  signal('visitsFromAddress', 'visits-from-address', (holds) => limit(holds.visitsFromAddress, texts.anHour)),
  signal('visitsOfCollaborator', 'visits-of-collaborator', (holds) => limit(holds.visitsOfCollaborator, texts.anHour)),
  signal('secondsToSale', 'quick-sale', (holds) => limit(holds.secondsToSale, texts.seconds)),
  signal('ownCoupon', 'own-coupon', (holds) => (holds.ownCoupon ? texts.on : undefined)),
  signal('adReferrers', 'ad-referrer', ({ adReferrers: { length } }) =>
    length === 0 ? undefined : texts.hosts(length),
  ),
  signal('buyerDetails', 'buyer-details', ({ buyerDetails }) =>
    buyerDetails.length === 0 ? undefined : texts.details(buyerDetails),
  ),
];

/** Explains the fraud signals, and shows the limits of each active program. Each program links to its editor. */
export function FraudSignals() {
  const api = useApi();
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
        state={state}
        onChange={(patch) => setState((now) => ({ ...now, ...patch }))}
        empty={<EmptyState icon={Percent} title={conversions.empty.programs} />}
      />
    </Stack>
  );
}
