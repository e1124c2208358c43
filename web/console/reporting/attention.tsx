import {
  CheckCheck,
  CircleAlert,
  Flag,
  HandCoins,
  Landmark,
  Plug,
  ShieldAlert,
  UserPlus,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import { useWaitingCounts, WAITING_KINDS, type WaitingKind } from '../waiting.ts';
import { overview as texts } from './overview-texts.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import styles from './overview.module.css';

const WAITING: Readonly<
  Record<WaitingKind, { readonly icon: LucideIcon; readonly href: string; readonly words: (count: number) => string }>
> = {
  conversions: { icon: HandCoins, href: '/conversions', words: texts.conversions },
  held: { icon: ShieldAlert, href: '/fraud', words: texts.held },
  payouts: { icon: Flag, href: '/payouts?tab=review', words: texts.reviews },
  requests: { icon: Landmark, href: '/payouts?tab=requests', words: texts.requests },
  collaborators: { icon: UserPlus, href: '/collaborators?tab=waiting', words: texts.collaborators },
  webhooks: { icon: Webhook, href: '/webhooks', words: texts.webhooks },
  connectors: { icon: Plug, href: '/connectors', words: texts.connectors },
  events: { icon: CircleAlert, href: '/live?state=parked', words: texts.events },
};

/** Shows the number of resources of each kind that need attention, each with a link. */
export function Attention() {
  const counts = useWaitingCounts();
  const waiting = WAITING_KINDS.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count > 0 ? [{ kind, ...WAITING[kind], count }] : [];
  });
  const isKnown = WAITING_KINDS.every((kind) => counts[kind] !== undefined);
  return (
    <Card title={texts.attention}>
      <Row gap={2}>
        {waiting.map(({ kind, icon, href, words, count }) => (
          <LinkButton key={kind} href={href} icon={icon}>
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
