import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Fulfillment } from '@whence/sdk';
import { Author } from '../author.tsx';
import { payouts as texts } from './payouts-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Count } from '#web/ui/controls/count.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Facts, Page } from '#web/ui/shell/page.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { useListState, PLACE_FIELDS, optionalFields } from '#web/ui/shell/list-state.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { MissingDetails } from './missing-details.tsx';
import { PayoutList } from './payout-list.tsx';
import { RunActions } from './run-actions.tsx';
import { countsQuery, isOpen, runQuery } from './run-query.ts';

const BREADCRUMBS = [
  { label: texts.title, href: '/payouts' },
  { label: texts.tabs.runs, href: '/payouts?tab=runs' },
];

const SCHEMA = {
  ...optionalFields('status', 'review', 'payoutMethod', 'collaboratorId', 'paidFrom', 'paidUntil'),
  ...PLACE_FIELDS,
};

export function RunPage() {
  const { id } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(runQuery(useApi(), id ?? ''));
  if (data !== undefined) return <Loaded run={data} />;
  return (
    <Page title={texts.run(Number(id))} breadcrumbs={BREADCRUMBS}>
      {error === null ? <Skeleton lines={6} /> : <ErrorPanel error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

function Loaded({ run }: { readonly run: Fulfillment }) {
  const { id, status, amount, currency, payouts, minimum, createdAt, author } = run;
  const [state, change] = useListState(SCHEMA);
  const counts = useQuery(countsQuery(useApi(), id)).data;
  return (
    <Page
      title={texts.run(id)}
      badge={<StatusBadge status={status} label={texts.runStatuses[status]} />}
      description={texts.oneRun.steps[status]}
      breadcrumbs={BREADCRUMBS}
      actions={<RunActions run={run} counts={counts} />}
    >
      <Facts
        beside
        items={[
          { label: texts.oneRun.amount, value: <Money minor={amount} currency={currency} /> },
          { label: texts.oneRun.payouts, value: <Count value={payouts} /> },
          {
            label: texts.oneRun.minimum,
            value: minimum !== null && <Money minor={minimum} currency={currency} />,
          },
          { label: texts.oneRun.made, value: <Time at={createdAt} /> },
          { label: texts.oneRun.by, value: <Author author={author} /> },
        ]}
      />
      {isOpen(run) && counts !== undefined && (
        <Progress label={texts.oneRun.progress} done={counts.paid} of={Math.max(1, counts.paid + counts.unpaid)} />
      )}
      {counts !== undefined && counts.flagged > 0 && (
        <Notice
          tone="warn"
          title={texts.oneRun.inReview(counts.flagged)}
          actions={
            <LinkButton size="small" href={`/payouts/runs/${id}?review=flagged`}>
              {texts.oneRun.toReview}
            </LinkButton>
          }
        >
          {texts.oneRun.inReviewHelp}
        </Notice>
      )}
      {isOpen(run) && counts !== undefined && counts.withoutDetails > 0 && (
        <MissingDetails fulfillmentId={id} count={counts.withoutDetails} />
      )}
      <PayoutList state={state} onChange={change} fulfillmentId={id} />
    </Page>
  );
}
