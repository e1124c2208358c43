import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Payout } from '@whence/sdk';
import { Banknote, BanknoteX } from 'lucide-react';
import { useState } from 'react';
import { CollaboratorName, useNames } from '../names.tsx';
import { PayoutDetailsCard } from '../collaborators/payout-details-card.tsx';
import { usePermission } from '../session.ts';
import { payouts as texts } from './payouts-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { formatMoney } from '#web/ui/formats/money.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Facts, Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { FailButton } from './fail-button.tsx';
import { PastReviews } from './past-reviews.tsx';
import { PayoutParts } from './payout-parts.tsx';
import { PayoutReview } from './payout-review.tsx';
import { failure } from './results-texts.ts';
import { ReviewProgress } from './refusals.tsx';
import styles from './payouts.module.css';
import { isOpen, runQuery } from './run-query.ts';
import { type Resolution, useReviews } from './undoable-reviews.ts';
import { useMarkAsPaid } from './use-marking.tsx';

const BREADCRUMBS = [{ label: texts.title, href: '/payouts' }];

export function PayoutPage() {
  const { id } = useParams({ strict: false });
  const { data, error, refetch } = useRead(['payouts', 'one', id], (api, options) =>
    api.payouts.get(id ?? '', options),
  );
  if (data !== undefined) return <Loaded payout={data} />;
  return (
    <Page title={texts.payout(Number(id))} breadcrumbs={BREADCRUMBS}>
      {error === null ? <Skeleton lines={6} /> : <ErrorPanel error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

function Loaded({ payout }: { readonly payout: Payout }) {
  const { id, collaboratorId, amount, currency, status, review, fulfillmentId, createdAt, paidAt } = payout;
  const name = useNames('collaborators', [collaboratorId])(collaboratorId);
  const may = usePermission('resources:write');
  const { data: run } = useQuery(runQuery(useApi(), String(fulfillmentId)));
  const { mark, progress } = useMarkAsPaid();
  const flagged = review.state === 'flagged';
  const decided = useReviews().undoable.get(id);
  return (
    <Page
      title={status === 'void' ? texts.one.voidTitle(name) : texts.one.title(formatMoney(amount, currency), name)}
      tabTitle={texts.payout(id)}
      badge={
        <>
          <StatusBadge status={status} label={texts.payoutStatuses[status]} />
          {flagged && <ReviewBadge decided={decided} />}
        </>
      }
      breadcrumbs={[...BREADCRUMBS, { label: texts.run(fulfillmentId), href: `/payouts/runs/${fulfillmentId}` }]}
      actions={
        may &&
        run !== undefined &&
        isOpen(run) &&
        status !== 'void' && (
          <>
            <FailButton payoutId={id} />
            <MarkButton payout={payout} mark={mark} />
          </>
        )
      }
    >
      {progress}
      <ReviewProgress />
      <Facts
        beside
        items={[
          { label: texts.one.collaborator, value: <CollaboratorName id={collaboratorId} /> },
          {
            label: texts.one.run,
            value: <Link href={`/payouts/runs/${fulfillmentId}`}>{texts.run(fulfillmentId)}</Link>,
          },
          { label: texts.one.made, value: <Time at={createdAt} /> },
          { label: texts.one.paidAt, value: paidAt !== null && <Time at={paidAt} as="datetime" /> },
        ]}
      />
      {flagged && status === 'unpaid' && <Notice tone="warn">{texts.one.waitsForReview}</Notice>}
      {status === 'void' && (
        <Notice tone="neutral" title={payout.failure === null ? undefined : failure.shown(payout.failure)}>
          {texts.one.void}
        </Notice>
      )}
      {flagged && <PayoutReview payout={payout} name={name} />}
      <div className={styles.parts}>
        <PayoutParts payout={payout} />
        <Stack gap={4}>
          {may && status === 'unpaid' && <PayoutDetailsCard collaboratorId={collaboratorId} />}
          <PastReviews payout={payout} />
        </Stack>
      </div>
    </Page>
  );
}

function ReviewBadge({ decided }: { readonly decided: Resolution | undefined }) {
  return decided === undefined ? (
    <StatusBadge status="flagged" label={texts.reviewStates['flagged']} />
  ) : (
    <StatusBadge status="processing" label={texts.review.undoable[decided]} />
  );
}

type MarkButtonProps = { readonly payout: Payout } & Pick<ReturnType<typeof useMarkAsPaid>, 'mark'>;

function MarkButton({ payout, mark }: MarkButtonProps) {
  const [busy, setBusy] = useState(false);
  const run = async (action: 'mark-paid' | 'mark-unpaid'): Promise<void> => {
    setBusy(true);
    try {
      await mark(action, [payout]);
    } catch (error) {
      toast.error(error);
    } finally {
      setBusy(false);
    }
  };
  if (payout.status === 'paid') {
    return (
      <Button icon={BanknoteX} busy={busy} onClick={() => void run('mark-unpaid')}>
        {texts.mark.unpaid}
      </Button>
    );
  }
  const flagged = payout.review.state === 'flagged';
  return (
    <Button
      variant={flagged ? 'secondary' : 'primary'}
      icon={Banknote}
      busy={busy}
      disabled={flagged}
      onClick={() => void run('mark-paid')}
    >
      {texts.mark.paid}
    </Button>
  );
}
