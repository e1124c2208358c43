import type { PartnerEmails } from '@whence/sdk';
import { usePermission } from '../session.ts';
import { emails as texts } from './emails-texts.ts';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { placeOf } from '#web/ui/shell/place.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { Text } from '#web/ui/controls/text.tsx';

const KEY = ['partnerEmails'];

/** Renders the kinds of email that partners get, each with a switch. */
export function EmailsPage() {
  const { data, error, refetch } = useRead(KEY, (api, options) => api.partnerEmails.get(options));
  const portal = useRead(['portalSettings', 'emails'], (api, options) => api.portalSettings.get(options));
  return (
    <Page
      title={texts.title}
      description={texts.description}
      breadcrumbs={[{ label: texts.settings, href: '/settings' }]}
      width="narrow"
    >
      <Stack gap={4}>
        {placeOf(document).sendsMail || <Notice tone="warn">{texts.printed}</Notice>}
        {portal.data?.slug === null && (
          <Notice tone="info">
            {texts.closed} <Link href="/settings/portal">{texts.openPortal}</Link>
          </Notice>
        )}
        <Card title={texts.kindsTitle} description={texts.kindsHelp}>
          {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
          {data === undefined && error === null && <Skeleton height={260} />}
          {data !== undefined && <Kinds emails={data} />}
        </Card>
        <Card title={texts.alwaysTitle}>
          <Text tone="muted">{texts.always}</Text>
        </Card>
      </Stack>
    </Page>
  );
}

const KINDS = Object.keys(texts.kinds) as PartnerEmails['kinds'];

function Kinds({ emails: { kinds } }: { readonly emails: PartnerEmails }) {
  const may = usePermission('resources:write');
  const { mutate, isPending, error } = useCall(
    (api, chosen: PartnerEmails['kinds']) => api.partnerEmails.update({ kinds: chosen }),
    { stores: KEY, done: texts.saved },
  );
  return (
    <Stack gap={3}>
      {KINDS.map((kind) => (
        <Switch
          key={kind}
          label={texts.kinds[kind].label}
          description={texts.kinds[kind].description}
          checked={kinds.includes(kind)}
          disabled={!may || isPending}
          onChange={(isSent) => mutate(isSent ? [...kinds, kind] : kinds.filter((each) => each !== kind))}
        />
      ))}
      {error !== null && <ErrorPanel error={error} />}
    </Stack>
  );
}
