import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PERIOD_FIELDS, periodOf } from '../period.ts';
import { useSession } from '../session.ts';
import { links as texts } from './links-texts.ts';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { PeriodPicker } from '#web/ui/overlay/period-picker.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { optionalField, useListState, PLACE_FIELDS } from '#web/ui/shell/list-state.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { LinkTable } from './link-table.tsx';
import { type Link, linksQuery, mainLink } from './links-query.ts';
import { NewLink } from './new-link.tsx';

const SCHEMA = {
  ...PERIOD_FIELDS,
  q: optionalField(),
  ...PLACE_FIELDS,
};

export function LinksPage() {
  const { collaborator, portal, agreementToAccept } = useSession();
  const [{ from, until, ...list }, change] = useListState(SCHEMA);
  const { data, error, refetch } = useQuery(linksQuery(useApi()));
  const [shown, setShown] = useState<Link>();
  const period = periodOf({ from, until });
  const main = data && mainLink(data);
  const mayMake = collaborator.status === 'active' && agreementToAccept === null;
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<PeriodPicker value={period} onChange={change} />}
    >
      <Stack gap={4}>
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {mayMake ? (
          <NewLink main={main} isReady={data !== undefined} onMade={setShown} />
        ) : (
          collaborator.status !== 'active' && <Notice>{texts.make.waiting(portal.name)}</Notice>
        )}
        <LinkTable period={period} state={list} onChange={change} onOpen={setShown} />
      </Stack>
      {shown !== undefined && <LinkDialog link={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}
