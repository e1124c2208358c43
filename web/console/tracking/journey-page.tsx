import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { opportunities as texts } from './opportunities-texts.ts';
import { totalsOf } from '../totals.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { CopyId } from '#web/ui/controls/copy.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { MoneyList } from '#web/ui/controls/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Facts, Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { Timeline } from '#web/ui/chart/timeline.tsx';
import { timelineItem } from './journey-items.tsx';
import { momentsOf } from './journey-moments.ts';
import { journeyQuery, type WholeJourney } from './journey-query.ts';

const words = texts.journey;

export function JourneyPage() {
  const { id } = useParams({ from: '/signed-in/opportunities/$id' });
  const { data, error, refetch } = useQuery(journeyQuery(useApi(), id));
  return (
    <Page
      title={texts.oneTitle}
      tabTitle={words.title(Number(id))}
      breadcrumbs={[{ label: texts.title, href: '/opportunities' }]}
      badge={data && <StatusBadge status={data.opportunity.status} />}
    >
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined ? error === null && <Skeleton lines={8} /> : <Whole whole={data} />}
    </Page>
  );
}

function Whole({ whole }: { readonly whole: WholeJourney }) {
  const { opportunity, journey, followed } = whole;
  const items = useMemo(() => momentsOf(whole).map(timelineItem), [whole]);
  return (
    <Stack gap={4}>
      {opportunity.mergedInto !== null && (
        <Notice>
          {words.mergedInto} <Link href={`/opportunities/${opportunity.mergedInto}`}>{opportunity.mergedInto}</Link>
        </Notice>
      )}
      {opportunity.status === 'invalid' && <Notice tone="warn">{words.invalidNotice}</Notice>}
      <Card>
        <About whole={whole} />
      </Card>
      <Card title={words.timeline}>
        {journey.omitted > 0 && (
          <Text as="p" tone="muted">
            {words.omitted(journey.omitted)}
          </Text>
        )}
        {followed.of > followed.conversions && (
          <Text as="p" tone="muted">
            {words.notFollowed(followed.conversions, followed.of)}
          </Text>
        )}
        {items.length === 0 ? <EmptyState title={words.empty} /> : <Timeline label={words.timeline} items={items} />}
      </Card>
    </Stack>
  );
}

function About({ whole: { opportunity, journey, conversions } }: { readonly whole: WholeJourney }) {
  const bought = journey.steps.flatMap((step) =>
    step.kind === 'sale' || step.kind === 'renewal' ? [{ amount: step.total, currency: step.currency }] : [],
  );
  const earned = conversions.filter(({ status }) => status !== 'rejected');
  const others = journey.memberIds.filter((member) => member !== opportunity.id);
  return (
    <Facts
      beside
      items={[
        { label: words.number, value: <CopyId text={String(opportunity.id)} /> },
        { label: words.user, value: opportunity.userId ?? words.guest },
        { label: words.firstSeen, value: <Time at={opportunity.createdAt} as="datetime" /> },
        { label: words.bought, value: <MoneyList amounts={totalsOf(bought)} /> },
        { label: words.earned, value: <MoneyList amounts={totalsOf(earned)} /> },
        { label: words.members, value: others.length > 0 && others.join(', ') },
      ]}
    />
  );
}
