import { Plus } from 'lucide-react';
import { usePermission } from '../session.ts';
import { useWaitingCounts } from '../waiting.ts';
import { payouts as texts } from './payouts-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Count } from '#web/ui/controls/count.tsx';
import { useHotkeys } from '#web/ui/overlay/hotkeys.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { besideField, choiceField, useListState, PLACE_FIELDS, optionalFields } from '#web/ui/shell/list-state.ts';
import { useLoaded } from '#web/ui/shell/loaded-code.ts';
import { Tabs } from '#web/ui/controls/tabs.tsx';
import { ImportResultsButton } from './import-results.tsx';
import { OwedPart } from './owed-part.tsx';
import { PayoutList } from './payout-list.tsx';
import { RequestList } from './request-list.tsx';
import { requests } from './request-texts.ts';
import { ReviewList } from './review-list.tsx';
import { RunList } from './run-list.tsx';
import { YearExportButton } from './year-export.tsx';

/** The code of the dialog loads when the dialog opens, because it is large compared with the page. */
const loadNewRunDialog = () => import('./new-run-dialog.tsx');

const SCHEMA = {
  tab: choiceField(['owed', 'runs', 'requests', 'payouts', 'review'], 'owed'),
  /** The name of the open dialog. It is in the URL, so that a link can open the dialog and Back closes it. */
  new: besideField(choiceField(['run', 'results', 'year'])),
  ...optionalFields('status', 'review', 'payoutMethod', 'currency', 'collaboratorId'),
  ...optionalFields('createdFrom', 'createdUntil', 'paidFrom', 'paidUntil'),
  ...PLACE_FIELDS,
};

/** The patch that clears the filters and the sorting when the tab changes. The currency and the partner stay. */
const CLEARED = {
  status: undefined,
  review: undefined,
  createdFrom: undefined,
  createdUntil: undefined,
  paidFrom: undefined,
  paidUntil: undefined,
  sort: undefined,
};

export function PayoutsPage() {
  const [{ tab, new: opened, ...state }, change] = useListState(SCHEMA);
  const may = usePermission('resources:write');
  const { payouts: flagged, requests: requested } = useWaitingCounts();
  const open = (): void => change({ new: 'run' });
  const dialog = (name: 'results' | 'year') => ({
    isOpen: opened === name,
    onOpenChange: (isOpen: boolean) => change({ new: isOpen ? name : undefined }),
  });
  useHotkeys([{ keys: 'n', label: texts.newRun, run: open }], { group: texts.title, enabled: may });
  const list = { state, onChange: change };
  const isNewRunOpen = may && opened === 'run';
  const newRun = useLoaded(loadNewRunDialog, isNewRunOpen);
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={
        may && (
          <>
            <YearExportButton {...dialog('year')} />
            <ImportResultsButton {...dialog('results')} />
            <Button variant="primary" icon={Plus} onClick={open}>
              {texts.newRun}
            </Button>
          </>
        )
      }
    >
      <Tabs
        label={texts.parts}
        value={tab}
        onChange={(to) => change({ ...CLEARED, tab: to })}
        tabs={[
          { value: 'owed', label: texts.tabs.owed, content: <OwedPart {...list} /> },
          { value: 'runs', label: texts.tabs.runs, content: <RunList {...list} onNew={may ? open : undefined} /> },
          {
            value: 'requests',
            label: requests.tab,
            ...(requested === undefined || requested === 0 ? {} : { count: <Count value={requested} /> }),
            content: <RequestList {...list} />,
          },
          { value: 'payouts', label: texts.tabs.payouts, content: <PayoutList {...list} /> },
          {
            value: 'review',
            label: texts.tabs.review,
            ...(flagged === undefined || flagged === 0 ? {} : { count: <Count value={flagged} /> }),
            content: <ReviewList {...list} />,
          },
        ]}
      />
      {isNewRunOpen && newRun && (
        <newRun.NewRunDialog
          open
          currency={tab === 'owed' ? state.currency : undefined}
          onClose={() => change({ new: undefined })}
        />
      )}
    </Page>
  );
}
