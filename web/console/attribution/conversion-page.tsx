import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Conversion } from '@whence/sdk';
import { Check, Route, ShieldCheck, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Author } from '../author.tsx';
import { CollaboratorName, OrderName, ProgramName, useNames } from '../names.tsx';
import { usePermission } from '../session.ts';
import { conversions as texts } from './conversions-texts.ts';
import { Badge, StatusBadge } from '#web/ui/controls/badge.tsx';
import { Button, LinkButton } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Explanation } from '#web/ui/explanation/explanation.tsx';
import { formatMoney } from '#web/ui/formats/money.ts';
import { useHotkeys } from '#web/ui/overlay/hotkeys.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Facts, Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { reasonWords } from './conversion-columns.tsx';
import { conversionQuery, explanationQuery } from './conversion-query.ts';
import { ConversionStatus } from './conversion-status.tsx';
import styles from './conversions.module.css';
import { useReview, useReviews } from './undoable-reviews.ts';
import { MoneyTimeline } from './money-timeline.tsx';
import { PaidNotes } from './paid-notes.tsx';
import { ReviewProgress } from './refusals.tsx';
import { RejectDialog } from './reject-dialog.tsx';

const BREADCRUMBS = [{ label: texts.title, href: '/conversions' }];

/** Shows the commission of one partner on one sale, with its explanation and its ledger entries. */
export function ConversionPage() {
  const { id } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(conversionQuery(useApi(), id ?? ''));
  if (data !== undefined) return <Loaded conversion={data} />;
  return (
    <Page title={texts.one.tab(Number(id))} breadcrumbs={BREADCRUMBS}>
      {error === null ? <Skeleton lines={6} /> : <ErrorPanel error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

function Loaded({ conversion }: { readonly conversion: Conversion }) {
  const { id, amount, currency, collaboratorId, opportunityId } = conversion;
  const nameOf = useNames('collaborators', [collaboratorId]);
  const undoable = useReviews().undoable.get(id);
  return (
    <Page
      title={texts.one.title(formatMoney(amount, currency), nameOf(collaboratorId))}
      tabTitle={texts.one.tab(id)}
      badge={
        undoable === undefined ? (
          <ConversionStatus conversion={conversion} />
        ) : (
          <StatusBadge status="processing" label={texts.undoable[undoable]} />
        )
      }
      breadcrumbs={BREADCRUMBS}
      actions={
        <>
          {opportunityId !== null && (
            <LinkButton href={`/opportunities/${opportunityId}`} icon={Route}>
              {texts.one.journeyLink}
            </LinkButton>
          )}
          {undoable === undefined && <ReviewButtons conversion={conversion} />}
        </>
      }
    >
      <ReviewProgress />
      <ConversionFacts conversion={conversion} />
      <div className={styles.parts}>
        <Card title={texts.one.why} description={texts.one.whyHelp}>
          <Why conversionId={id} />
        </Card>
        <Card title={texts.one.money} description={texts.one.moneyHelp}>
          <MoneyTimeline conversion={conversion} />
        </Card>
      </div>
    </Page>
  );
}

function ConversionFacts({ conversion }: { readonly conversion: Conversion }) {
  const { awarded, amount, currency, collaboratorId, transactionId, programId, type, status } = conversion;
  const { reason, author, note, approvesAt, payoutId, paidAt, createdAt, review, holdReasons } = conversion;
  return (
    <Facts
      beside
      items={[
        { label: texts.one.awarded, value: <Money minor={awarded} currency={currency} /> },
        {
          label: texts.one.worth,
          value:
            status === 'rejected' ? (
              <Money minor={0} currency={currency} />
            ) : (
              amount !== awarded && <Money minor={amount} currency={currency} />
            ),
        },
        { label: texts.one.collaborator, value: <CollaboratorName id={collaboratorId} /> },
        { label: texts.one.order, value: <OrderName id={transactionId} /> },
        { label: texts.one.program, value: <ProgramName id={programId} /> },
        { label: texts.one.type, value: <Badge>{texts.types[type]}</Badge> },
        { label: texts.one.earned, value: <Time at={createdAt} /> },
        { label: texts.one.approves, value: approvesAt !== undefined && <Time at={approvesAt} as="date" /> },
        {
          label: texts.one.payout,
          value: payoutId !== null && <Link href={`/payouts/${payoutId}`}>{texts.payout(payoutId)}</Link>,
        },
        { label: texts.one.paid, value: paidAt !== null && <Time at={paidAt} as="date" /> },
        { label: texts.one.reason, value: reason },
        {
          label: review === 'held' ? texts.one.heldFor : texts.one.wasHeldFor,
          value: holdReasons !== undefined && reasonWords(holdReasons),
        },
        { label: texts.one.by, value: author !== undefined && <Author author={author} /> },
        { label: texts.one.note, value: note },
      ]}
    />
  );
}

function ReviewButtons({ conversion }: { readonly conversion: Conversion }) {
  const review = useReview();
  const [rejecting, setRejecting] = useState(false);
  const may = usePermission('resources:write') && conversion.status !== 'rejected';
  const pending = conversion.status === 'pending';
  const held = conversion.review === 'held';
  const approve = (): void => review('approve', [conversion]);
  const release = (): void => review('release', [conversion]);
  const reject = (): void => setRejecting(true);
  useHotkeys(
    [
      ...(pending ? [{ keys: 'a', label: texts.approve, run: approve }] : []),
      { keys: 'r', label: texts.reject, run: reject },
      ...(held ? [{ keys: 'l', label: texts.release, run: release }] : []),
    ],
    { group: texts.oneTitle, enabled: may },
  );
  if (!may) return null;
  return (
    <>
      <Button icon={X} onClick={reject}>
        {texts.rejectMore}
      </Button>
      {held && (
        <Button icon={ShieldCheck} title={texts.releaseHelp} onClick={release}>
          {texts.release}
        </Button>
      )}
      {pending && (
        <Button variant="primary" icon={Check} onClick={approve}>
          {texts.approve}
        </Button>
      )}
      <RejectDialog
        rows={rejecting ? [conversion] : undefined}
        onClose={() => setRejecting(false)}
        onReject={(reason) => {
          setRejecting(false);
          review('reject', [conversion], { reason });
        }}
      />
    </>
  );
}

function Why({ conversionId }: { readonly conversionId: number }) {
  const { data, error, refetch } = useQuery(explanationQuery(useApi(), conversionId));
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  return data === undefined ? <Skeleton lines={8} /> : <Explanation explanation={data} links={LINKS} />;
}

const LINKS = {
  collaborator: (id: number) => `/collaborators/${id}`,
  program: (id: number) => `/programs/${id}`,
  author: (author: string) => <Author author={author} />,
  rejected: (conversionId: number, otherwise: ReactNode) => (
    <PaidNotes conversionId={conversionId} otherwise={otherwise} isSentence />
  ),
};
