import { useQueries } from '@tanstack/react-query';
import { CheckCheck, CircleAlert, Flag, HandCoins, Plug, UserPlus, Webhook, type LucideIcon } from 'lucide-react';
import type { Whence } from '@whence/sdk';
import { overview as texts } from './overview-texts.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import styles from './overview.module.css';

type Waiting = {
  readonly id: string;
  readonly icon: LucideIcon;
  readonly href: string;
  readonly words: (count: number) => string;
  /** Loads the number of resources that need attention. For most resources, it is the estimated count of a list. */
  readonly count: (api: Whence, signal: AbortSignal) => Promise<{ readonly estimatedCount: number }>;
};

const ONE = { perPage: 1 };
/** The maximum number of connectors in an organization. */
const MAX_CONNECTORS = 50;

const WAITING: readonly Waiting[] = [
  {
    id: 'conversions',
    icon: HandCoins,
    href: '/conversions',
    words: texts.conversions,
    count: (api, signal) => api.conversions.list({ status: 'pending', ...ONE }, { signal }).page(),
  },
  {
    id: 'payouts',
    icon: Flag,
    href: '/payouts?tab=review',
    words: texts.reviews,
    count: (api, signal) => api.payouts.list({ review: 'flagged', ...ONE }, { signal }).page(),
  },
  {
    id: 'collaborators',
    icon: UserPlus,
    href: '/collaborators?tab=waiting',
    words: texts.collaborators,
    count: (api, signal) => api.collaborators.list({ status: 'pending', ...ONE }, { signal }).page(),
  },
  {
    id: 'webhooks',
    icon: Webhook,
    href: '/webhooks',
    words: texts.webhooks,
    count: (api, signal) => api.webhooks.list({ status: 'paused', ...ONE }, { signal }).page(),
  },
  {
    id: 'connectors',
    icon: Plug,
    href: '/connectors',
    words: texts.connectors,
    count: async (api, signal) => {
      const { data } = await api.connectors.list({ perPage: MAX_CONNECTORS }, { signal }).page();
      return { estimatedCount: data.filter(({ deadLetteredEvents }) => deadLetteredEvents > 0).length };
    },
  },
  {
    id: 'events',
    icon: CircleAlert,
    href: '/live?state=parked',
    words: texts.events,
    count: (api, signal) => api.events.list({ state: 'parked', ...ONE }, { signal }).page(),
  },
];

/** Shows the number of resources of each kind that need attention, each with a link. */
export function Attention() {
  const api = useApi();
  const counts = useQueries({
    queries: WAITING.map(({ id, count }) => ({
      queryKey: [id, 'waiting'],
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await count(api, signal)).estimatedCount,
    })),
  });
  const waiting = WAITING.flatMap((of, at) => {
    const count = counts[at]?.data ?? 0;
    return count > 0 ? [{ ...of, count }] : [];
  });
  const isKnown = counts.every(({ data }) => data !== undefined);
  return (
    <Card title={texts.attention}>
      <Row gap={2}>
        {waiting.map(({ id, icon, href, words, count }) => (
          <LinkButton key={id} href={href} icon={icon}>
            {words(count)}
          </LinkButton>
        ))}
        {isKnown && waiting.length === 0 && (
          <Text tone="muted" className={styles.done}>
            <CheckCheck aria-hidden />
            {texts.allDone}
          </Text>
        )}
      </Row>
    </Card>
  );
}
