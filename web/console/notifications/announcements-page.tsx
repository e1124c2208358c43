import { useState } from 'react';
import { usePermission } from '../session.ts';
import { AnnouncementForm } from './announcement-form.tsx';
import { AnnouncementList } from './announcement-list.tsx';
import { announcements as texts } from './announcements-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { placeOf } from '#web/ui/shell/place.ts';
import { Stack } from '#web/ui/controls/stack.tsx';

/** Sends announcements to partners, and lists the announcements that were sent. */
export function AnnouncementsPage() {
  const may = usePermission('resources:write');
  const [sent, setSent] = useState(0);
  const { data: portal } = useRead(['portalSettings', 'emails'], (api, options) => api.portalSettings.get(options));
  return (
    <Page
      title={texts.title}
      description={texts.description}
      breadcrumbs={[{ label: texts.breadcrumb, href: '/collaborators' }]}
      width="narrow"
    >
      <Stack gap={4}>
        {placeOf(document).sendsMail || <Notice tone="warn">{texts.printed}</Notice>}
        {portal?.slug === null && (
          <Notice tone="info">
            {texts.closed} <Link href="/settings/portal">{texts.openPortal}</Link>
          </Notice>
        )}
        {may && (
          <AnnouncementForm key={sent} isOpen={portal?.slug !== null} onSent={() => setSent((count) => count + 1)} />
        )}
        <AnnouncementList />
      </Stack>
    </Page>
  );
}
