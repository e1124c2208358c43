import { useParams } from '@tanstack/react-router';
import { CircleCheck, Pencil } from 'lucide-react';
import { lazy } from 'react';
import { CHART_FIELDS, PERIOD_FIELDS } from '../reporting/period-view.ts';
import { usePermission } from '../session.ts';
import { programs as texts } from './programs-texts.ts';
import { rewardText } from './rewards-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { useHotkeys } from '#web/ui/overlay/hotkeys.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import {
  besideField,
  choiceField,
  optionalField,
  useListState,
  PLACE_FIELDS,
  optionalFields,
} from '#web/ui/shell/list-state.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Tabs } from '#web/ui/controls/tabs.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { StatusMenu } from './status-menu.tsx';

// The code of these tabs is large, so it loads when a tab is first shown.
const EnrolledTab = lazy(() => import('./enrolled-tab.tsx').then((module) => ({ default: module.EnrolledTab })));
const SignUpTab = lazy(() => import('./sign-up-tab.tsx').then((module) => ({ default: module.SignUpTab })));
const VersionsTab = lazy(() => import('./versions-tab.tsx').then((module) => ({ default: module.VersionsTab })));

const words = texts.page;

const SCHEMA = {
  ...PERIOD_FIELDS,
  ...CHART_FIELDS,
  tab: choiceField(['overview', 'collaborators', 'sign-up', 'versions'], 'overview'),
  status: choiceField(['enrolled', 'removed']),
  ...optionalFields('createdFrom', 'createdUntil'),
  ...PLACE_FIELDS,
  /** The number of the version in the drawer. */
  version: besideField(optionalField()),
};

/** The patch that clears the filters and the sorting, and closes the drawer, when the tab changes. */
const NO_FILTERS = {
  status: undefined,
  createdFrom: undefined,
  createdUntil: undefined,
  sort: undefined,
  version: undefined,
};

export function ProgramPage() {
  const { id } = useParams({ from: '/signed-in/programs/$id' });
  const may = usePermission('resources:write');
  const { navigate } = useLinks();
  const [{ tab, version, status, createdFrom, createdUntil, ...rest }, change] = useListState(SCHEMA);
  const { from, until, currency, compare, measure, interval, ...place } = rest;
  const {
    data: program,
    error,
    refetch,
  } = useRead(['programs', Number(id)], (api, options) => api.programs.get(id, options));
  const canEdit = may && program !== undefined && program.status !== 'deleted';
  useHotkeys([{ keys: 'e', label: words.edit, run: () => navigate(`/programs/${id}/edit`) }], { enabled: canEdit });
  const crumbs = [{ label: texts.title, href: '/programs' }];
  if (program === undefined) {
    return (
      <Page title={texts.oneTitle} breadcrumbs={crumbs}>
        {error === null ? <Skeleton lines={8} /> : <ErrorPanel error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  const notice = NOTICES[program.status];
  return (
    <Page
      title={program.name}
      breadcrumbs={crumbs}
      badge={<StatusBadge status={program.status} />}
      description={program.description ?? rewardText(program.reward, program.currency)}
      actions={
        <>
          <LinkButton href={`/conversions?tab=all&programId=${id}`} icon={CircleCheck}>
            {words.conversions}
          </LinkButton>
          {canEdit && (
            <LinkButton href={`/programs/${id}/edit`} icon={Pencil} variant="primary" hotkey="E">
              {words.edit}
            </LinkButton>
          )}
          {canEdit && <StatusMenu program={program} />}
        </>
      }
    >
      {notice !== undefined && <Notice tone={program.status === 'draft' ? 'info' : 'warn'}>{notice}</Notice>}
      <Tabs
        label={words.tabs}
        value={tab}
        onChange={(to) => change({ ...NO_FILTERS, tab: to })}
        tabs={[
          {
            value: 'overview',
            label: words.overview,
            content: (
              <OverviewTab
                program={program}
                state={{ from, until, currency, compare, measure, interval }}
                onChange={change}
              />
            ),
          },
          {
            value: 'collaborators',
            label: words.collaborators,
            content: <EnrolledTab program={program} state={{ ...place, status }} onChange={change} />,
          },
          { value: 'sign-up', label: words.signUp, content: <SignUpTab program={program} /> },
          {
            value: 'versions',
            label: words.versions,
            content: (
              <VersionsTab
                program={program}
                state={{ ...place, createdFrom, createdUntil }}
                shown={version}
                onChange={change}
              />
            ),
          },
        ]}
      />
    </Page>
  );
}

const NOTICES: Readonly<Record<string, string>> = {
  draft: words.draftNotice,
  inactive: words.inactiveNotice,
  deleted: words.deletedNotice,
};
