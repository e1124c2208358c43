import type { Webhook } from '@whence/sdk';
import { TriangleAlert } from 'lucide-react';
import { webhooks as texts } from '#console/texts/webhooks.ts';
import { Badge, StatusBadge } from '#ui/badge.tsx';

const TONES = { active: 'good', paused: 'bad', deleted: 'neutral' } as const;

type WebhookBadgeProps = { readonly webhook: Pick<Webhook, 'status' | 'failingSince'> };

/** How a webhook stands; one that is tried again and again is failing. */
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
