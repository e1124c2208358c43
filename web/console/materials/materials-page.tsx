import { keepPreviousData } from '@tanstack/react-query';
import type { Material } from '@whence/sdk';
import { Images, Plus } from 'lucide-react';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { MaterialCard } from './material-card.tsx';
import { MaterialDialog } from './material-dialog.tsx';
import { materials as texts } from './materials-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Segmented } from '#web/ui/controls/segmented.tsx';
import { Grid, Stack } from '#web/ui/controls/stack.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { besideField, choiceField, useListState } from '#web/ui/shell/list-state.ts';
import { Page } from '#web/ui/shell/page.tsx';

export const MATERIALS_KEY = ['materials'];

/** The number of materials that are shown at first. Each press on “Show older materials” shows as many more. */
const SHOWN = 24;
const STATUSES = (['active', 'archived'] as const).map((value) => ({ value, label: texts.statuses[value] }));

const SCHEMA = { new: besideField(choiceField(['material'])) };

/** Lists the materials for partners, newest first, and creates, changes, archives and deletes them. */
export function MaterialsPage() {
  const may = usePermission('resources:write');
  const [status, setStatus] = useState<Material['status']>('active');
  const [limit, setLimit] = useState(SHOWN);
  const [{ new: opened }, change] = useListState(SCHEMA);
  const [edited, setEdited] = useState<Material>();
  const { data, error, refetch } = useRead(
    [...MATERIALS_KEY, status, limit],
    (api, options) => api.materials.list({ status }, options).toArray({ limit: limit + 1 }),
    { placeholderData: keepPreviousData },
  );
  const create = may && (
    <Button variant="primary" icon={Plus} onClick={() => change({ new: 'material' })}>
      {texts.new}
    </Button>
  );
  return (
    <Page title={texts.title} description={texts.description} actions={create}>
      <Stack gap={4}>
        <div>
          <Segmented label={texts.filter} options={STATUSES} value={status} onChange={setStatus} />
        </div>
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton height={260} />}
        {data?.length === 0 && (
          <EmptyState icon={Images} title={status === 'active' ? texts.noneTitle : texts.noneArchived}>
            {status === 'active' ? texts.none : undefined}
          </EmptyState>
        )}
        <Grid min={280}>
          {data?.slice(0, limit).map((material) => (
            <MaterialCard key={material.id} material={material} onEdit={may ? () => setEdited(material) : undefined} />
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
      {edited !== undefined && <MaterialDialog material={edited} onClose={() => setEdited(undefined)} />}
      {may && opened === 'material' && (
        <MaterialDialog material={undefined} onClose={() => change({ new: undefined }, { replace: true })} />
      )}
    </Page>
  );
}
