import type { Webhook } from '@whence/sdk';
import { TriangleAlert } from 'lucide-react';
import { webhooks as texts } from './webhooks-texts.ts';
import { Badge, StatusBadge } from '#web/ui/controls/badge.tsx';

const TONES = { active: 'good', paused: 'bad', deleted: 'neutral' } as const;

type WebhookBadgeProps = { readonly webhook: Pick<Webhook, 'status' | 'failingSince'> };

/** Shows the status of a webhook, or “Failing” if it is active but its deliveries fail. */
export function WebhookBadge({ webhook: { status, failingSince } }: WebhookBadgeProps) {
  if (status === 'active' && failingSince !== null) {
    return (
      <Badge tone="warn" icon={TriangleAlert}>
        {texts.failing}
      </Badge>
    );
  }
  return <StatusBadge status={status} label={texts.states[status]} tone={TONES[status]} />;
}
