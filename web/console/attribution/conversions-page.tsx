import { useWaitingCounts } from '../waiting.ts';
import { conversions as texts } from './conversions-texts.ts';
import { Count } from '#web/ui/controls/count.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { choiceField, useListState } from '#web/ui/shell/list-state.ts';
import { Tabs } from '#web/ui/controls/tabs.tsx';
import { ApprovalQueue } from './approval-queue.tsx';
import { listFields } from './conversion-columns.tsx';
import { ConversionList } from './conversion-list.tsx';
import { ReviewProgress } from './refusals.tsx';

const SCHEMA = { tab: choiceField(['queue', 'all'], 'queue'), ...listFields };

/** Shows the conversions that wait for approval on one tab, and all conversions on another tab. */
export function ConversionsPage() {
  const [{ tab, ...state }, change] = useListState(SCHEMA);
  const { conversions: waiting } = useWaitingCounts();
  return (
    <Page title={texts.title} description={texts.description}>
      <ReviewProgress />
      <Tabs
        label={texts.parts}
        value={tab}
        // Clear the filters of only one tab, and the sorting.
        onChange={(to) => change({ tab: to, status: undefined, review: undefined, sort: undefined })}
        tabs={[
          {
            value: 'queue',
            label: texts.queue,
            ...(waiting === undefined ? {} : { count: <Count value={waiting} /> }),
            content: <ApprovalQueue state={state} onChange={change} />,
          },
          { value: 'all', label: texts.all, content: <ConversionList state={state} onChange={change} /> },
        ]}
      />
    </Page>
  );
}
