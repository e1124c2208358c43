import type { Connector } from '@whence/sdk';
import { CircleCheck, CircleDashed, Clock, TriangleAlert } from 'lucide-react';
import { connectors as texts } from './connectors-texts.ts';
import { Badge, StatusBadge } from '#web/ui/controls/badge.tsx';

const LOOKS = {
  'no-secret': { tone: 'neutral', icon: CircleDashed },
  silent: { tone: 'info', icon: Clock },
  receiving: { tone: 'good', icon: CircleCheck },
  failing: { tone: 'warn', icon: TriangleAlert },
} as const;

/**
 * Shows the state of a connector: deleted, with dead-lettered events, without a secret, without any event yet, or
 * receiving.
 */
export function ConnectorBadge({ connector }: { readonly connector: Connector }) {
  if (connector.status === 'deleted') return <StatusBadge status="deleted" label={texts.states.deleted} />;
  const state = stateOf(connector);
  return <Badge {...LOOKS[state]}>{texts.states[state]}</Badge>;
}

function stateOf({ hasSecret, deadLetteredEvents, firstEventAt }: Connector): keyof typeof LOOKS {
  if (deadLetteredEvents > 0) return 'failing';
  if (!hasSecret) return 'no-secret';
  return firstEventAt === null ? 'silent' : 'receiving';
}
