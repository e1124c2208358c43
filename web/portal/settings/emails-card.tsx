import type { PortalEmails } from '@whence/sdk';
import { useSession } from '../session.ts';
import { settings } from './settings-texts.ts';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Switch } from '#web/ui/form/switch.tsx';

const texts = settings.emails;
const KEY = ['portal', 'emails'];

/** Renders a switch for each kind of email that the merchant sends. */
export function EmailsCard() {
  const { portal } = useSession();
  const { data, error, refetch } = useRead(KEY, (api, options) => api.portal.getEmails(options));
  return (
    <Card title={texts.title} description={texts.description(portal.name)}>
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={190} />}
      {data !== undefined && <Kinds emails={data} />}
    </Card>
  );
}

function Kinds({ emails }: { readonly emails: PortalEmails }) {
  const { mutate, isPending, error } = useCall(
    (api, muted: PortalEmails['muted']) => api.portal.changeEmails({ muted }),
    {
      stores: KEY,
      done: texts.saved,
    },
  );
  const { kinds, muted } = emails;
  return (
    <Stack gap={3}>
      {kinds.map((kind) => (
        <Switch
          key={kind}
          label={texts.kinds[kind]}
          checked={!muted.includes(kind)}
          disabled={isPending}
          onChange={(isWanted) => mutate(isWanted ? muted.filter((each) => each !== kind) : [...muted, kind])}
        />
      ))}
      {error !== null && <ErrorPanel error={error} />}
    </Stack>
  );
}
