import { keepPreviousData } from '@tanstack/react-query';
import type { Announcement } from '@whence/sdk';
import { useState } from 'react';
import { Author } from '../author.tsx';
import { announcements as texts } from './announcements-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Card } from '#web/ui/shell/card.tsx';

export const ANNOUNCEMENTS_KEY = ['announcements'];

/** The number of announcements that are shown at first. Each press on the button below the list shows as many more. */
const SHOWN = 10;

/** Lists the sent announcements, newest first. */
export function AnnouncementList() {
  const [limit, setLimit] = useState(SHOWN);
  const { data, error, refetch } = useRead(
    [...ANNOUNCEMENTS_KEY, 'list', limit],
    (api, options) => api.announcements.list({ perPage: SHOWN }, options).toArray({ limit: limit + 1 }),
    { placeholderData: keepPreviousData },
  );
  return (
    <Card title={texts.past}>
      <Stack gap={4}>
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton lines={3} />}
        {data?.length === 0 && <Text tone="muted">{texts.none}</Text>}
        {data?.slice(0, limit).map((announcement) => (
          <Sent key={announcement.id} announcement={announcement} />
        ))}
        {data !== undefined && data.length > limit && (
          <div>
            <Button size="small" onClick={() => setLimit(limit + SHOWN)}>
              {texts.older}
            </Button>
          </div>
        )}
      </Stack>
    </Card>
  );
}

function Sent({ announcement }: { readonly announcement: Announcement }) {
  const { subject, recipients, createdAt, author } = announcement;
  return (
    <Row gap={3} align="baseline" justify="spread">
      <Text strong>{subject}</Text>
      <Text tone="muted" size="small">
        {texts.to(recipients)}, <Time at={createdAt} /> {texts.by} <Author author={author} />
      </Text>
    </Row>
  );
}
