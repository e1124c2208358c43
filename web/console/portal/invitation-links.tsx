import type { InvitationLink, Program } from '@whence/sdk';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { invitations as texts } from './invitation-texts.ts';
import { NewInvitationLink } from './new-invitation-link.tsx';
import { rewardText } from '../programs/rewards-texts.ts';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { Badge, StatusBadge } from '#web/ui/controls/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { CopyLine } from '#web/ui/controls/copy.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';
import { Card } from '#web/ui/shell/card.tsx';

/** The number of links that are shown at first. Each press on “Show older links” shows as many more. */
const SHOWN = 10;

/** Lists the invitation links of a program, newest first, and creates or revokes links. */
export function InvitationLinks({ program }: { readonly program: Program }) {
  const { id, status } = program;
  const may = usePermission('resources:write');
  const [limit, setLimit] = useState(SHOWN);
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<number>();
  const queryKey = ['invitationLinks', id];
  const { data, error, refetch } = useRead(
    [...queryKey, limit],
    (api, options) => api.invitationLinks.list({ programId: id }, options).toArray({ limit: limit + 1 }),
    { placeholderData: (before) => before, enabled: may },
  );
  const revoke = useCall((api, link: number) => api.invitationLinks.revoke(link), {
    reloads: [queryKey],
    done: texts.revoked,
  });
  if (!may) return null;
  const make = status !== 'deleted' && (
    <Button size="small" icon={Plus} onClick={() => setMaking(true)}>
      {texts.make}
    </Button>
  );
  return (
    <Card title={texts.title} description={texts.help} actions={make}>
      <Stack gap={4}>
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton lines={3} />}
        {data?.length === 0 && <Text tone="muted">{texts.none}</Text>}
        {data?.slice(0, limit).map((link) => (
          <Invitation key={link.id} link={link} onRevoke={() => setRevoking(link.id)} />
        ))}
        {data !== undefined && data.length > limit && (
          <div>
            <Button size="small" onClick={() => setLimit(limit + SHOWN)}>
              {texts.older}
            </Button>
          </div>
        )}
      </Stack>
      {isMaking && <NewInvitationLink program={program} onClose={() => setMaking(false)} />}
      <ConfirmDialog
        open={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={texts.revokeTitle}
        confirmLabel={texts.revokeConfirm}
        danger
        onConfirm={() => revoking !== undefined && revoke.mutateAsync(revoking)}
      >
        {texts.revokeHelp}
      </ConfirmDialog>
    </Card>
  );
}

function Invitation({ link, onRevoke }: { readonly link: InvitationLink; readonly onRevoke: () => void }) {
  const { id, url, status, note, tags, uses, maxUses, expiresAt, reward, currency } = link;
  return (
    <section aria-label={note ?? texts.link(id)}>
      <Stack gap={2}>
        <Row gap={3} align="center">
          <Text strong>{note ?? texts.link(id)}</Text>
          <StatusBadge status={status} label={texts.statuses[status]} tone={status === 'open' ? 'good' : 'neutral'} />
          <Text tone="muted" size="small">
            {texts.joined(uses, maxUses)}
            {expiresAt !== null && (
              <>
                {', '}
                {texts.until} <Time at={expiresAt} />
              </>
            )}
          </Text>
          {reward !== null && <Badge tone="accent">{rewardText(reward, currency)}</Badge>}
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </Row>
        {status === 'blocked' && <Text tone="muted">{texts.blocked}</Text>}
        {status === 'open' &&
          (url === null ? <Text tone="muted">{texts.noPortal}</Text> : <CopyLine text={url} wrap />)}
        {(status === 'open' || status === 'blocked') && (
          <div>
            <Button size="small" variant="ghost" onClick={onRevoke}>
              {texts.revoke}
            </Button>
          </div>
        )}
      </Stack>
    </section>
  );
}
