import { keepPreviousData } from '@tanstack/react-query';
import { Images } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../session.ts';
import { MaterialCard } from './material-card.tsx';
import { materials as texts } from './materials-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Grid, Stack } from '#web/ui/controls/stack.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Page } from '#web/ui/shell/page.tsx';

/** The number of materials that are shown at first. Each press on “Show older materials” shows as many more. */
const SHOWN = 24;

/** Shows the merchant's materials for the partner, newest first. */
export function MaterialsPage() {
  const { collaborator, portal } = useSession();
  const [limit, setLimit] = useState(SHOWN);
  const { data, error, refetch } = useRead(
    ['portal', 'materials', limit],
    (api, options) => api.portal.listMaterials({}, options).toArray({ limit: limit + 1 }),
    { placeholderData: keepPreviousData },
  );
  const isActive = collaborator.status === 'active';
  return (
    <Page title={texts.title} description={texts.description}>
      <Stack gap={4}>
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton height={260} />}
        {data?.length === 0 && (
          <EmptyState icon={Images} title={texts.noneTitle}>
            {isActive ? texts.none(portal.name) : texts.waiting(portal.name)}
          </EmptyState>
        )}
        {data?.some(({ link }) => link === null) === true && (
          <Notice>
            {texts.noLink} <Link href="/links">{texts.makeLink}</Link>
          </Notice>
        )}
        <Grid min={280}>
          {data?.slice(0, limit).map((material) => (
            <MaterialCard key={material.id} material={material} />
          ))}
        </Grid>
        {data !== undefined && data.length > limit && (
          <div>
            <Button size="small" onClick={() => setLimit(limit + SHOWN)}>
              {texts.older}
            </Button>
          </div>
        )}
      </Stack>
    </Page>
  );
}
