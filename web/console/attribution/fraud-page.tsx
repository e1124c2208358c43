import { useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useWaitingCounts, waitingKey } from '../waiting.ts';
import { fraud as texts } from './fraud-texts.ts';
import { Count } from '#web/ui/controls/count.tsx';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { choiceField, useListState } from '#web/ui/shell/list-state.ts';
import { Tabs } from '#web/ui/controls/tabs.tsx';
import { listFields } from './conversion-columns.tsx';
import { FraudList } from './fraud-list.tsx';
import { FraudPartners } from './fraud-partners.tsx';
import { FraudResults } from './fraud-results.tsx';
import { fraudResults as results } from './fraud-results-texts.ts';
import { FraudSignals } from './fraud-signals.tsx';
import { ReviewProgress } from './refusals.tsx';

const SCHEMA = { tab: choiceField(['queue', 'past', 'partners', 'signals', 'lists'], 'queue'), ...listFields };

/**
 * Shows these tabs:
 *
 * - commissions in fraud review, with the facts of each fraud signal
 * - past reviews
 * - partners with unusual results or sign-ups
 * - the limits of each program
 * - the deny and allow lists
 */
export function FraudPage() {
  const [{ tab, ...state }, change] = useListState(SCHEMA);
  const { held } = useWaitingCounts();
  const queries = useQueryClient();
  return (
    <Page title={texts.title} description={texts.description}>
      <ReviewProgress />
      <Tabs
        label={texts.parts}
        value={tab}
        onChange={(to) => {
          change({ tab: to, status: undefined, review: undefined, sort: undefined });
          // The tab's list is loaded again, so also load its count again.
          void queries.invalidateQueries({ queryKey: waitingKey('held') });
        }}
        tabs={[
          {
            value: 'queue',
            label: texts.queue,
            ...(held === undefined ? {} : { count: <Count value={held} /> }),
            content: <FraudList review="held" state={state} onChange={change} empty={<NothingHeld />} />,
          },
          {
            value: 'past',
            label: texts.past,
            content: (
              <FraudList
                review="resolved"
                state={state}
                onChange={change}
                empty={
                  <EmptyState icon={ShieldCheck} title={texts.empty.past}>
                    {texts.empty.pastHelp}
                  </EmptyState>
                }
              />
            ),
          },
          { value: 'partners', label: results.tab, content: <FraudResults state={state} onChange={change} /> },
          { value: 'signals', label: texts.signals, content: <FraudSignals /> },
          { value: 'lists', label: texts.partners, content: <FraudPartners /> },
        ]}
      />
    </Page>
  );
}

function NothingHeld() {
  return (
    <EmptyState
      icon={ShieldCheck}
      title={texts.empty.queue}
      actions={<LinkButton href="/fraud?tab=signals">{texts.empty.toSignals}</LinkButton>}
    >
      {texts.empty.queueHelp}
    </EmptyState>
  );
}
