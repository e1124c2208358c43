import { useParams } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { lazy, useState } from 'react';
import { ORDERS } from '../reporting/period-figures.ts';
import { CHART_FIELDS, PERIOD_FIELDS } from '../reporting/period-view.ts';
import { usePermission } from '../session.ts';
import { collaborators as texts } from './collaborators-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { useHotkeys } from '#web/ui/overlay/hotkeys.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { useLoaded } from '#web/ui/shell/loaded-code.ts';
import { choiceField, useListState, PLACE_FIELDS, optionalFields } from '#web/ui/shell/list-state.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Tabs } from '#web/ui/controls/tabs.tsx';
import { CollaboratorMenu } from './collaborator-menu.tsx';
import { OverviewTab } from './overview-tab.tsx';

const loadEdit = () => import('./edit-collaborator.tsx');
const ChartTab = lazy(() => import('./chart-tab.tsx').then((module) => ({ default: module.ChartTab })));
const ConversionsTab = lazy(() =>
  import('./conversions-tab.tsx').then((module) => ({ default: module.ConversionsTab })),
);
const MoneyTab = lazy(() => import('./money-tab.tsx').then((module) => ({ default: module.MoneyTab })));
const ProgramsTab = lazy(() => import('./programs-tab.tsx').then((module) => ({ default: module.ProgramsTab })));
const SignUpsTab = lazy(() => import('./sign-ups-tab.tsx').then((module) => ({ default: module.SignUpsTab })));

const words = texts.page;

const SCHEMA = {
  tab: choiceField(['overview', 'performance', 'programs', 'money', 'conversions', 'sign-ups'], 'overview'),
  ...PERIOD_FIELDS,
  ...CHART_FIELDS,
  highest: choiceField(ORDERS, 'revenue'),
  ...optionalFields('search', 'type', 'status', 'programId', 'createdFrom', 'createdUntil'),
  ...PLACE_FIELDS,
};

/**
 * The patch that clears the filters and the sorting when the tab changes. The lists use the same filter names with
 * different values.
 */
const NO_FILTERS = {
  search: undefined,
  type: undefined,
  status: undefined,
  programId: undefined,
  createdFrom: undefined,
  createdUntil: undefined,
  sort: undefined,
};

export function CollaboratorPage() {
  const { id } = useParams({ from: '/signed-in/collaborators/$id' });
  const may = usePermission('resources:write');
  const [state, change] = useListState(SCHEMA);
  const { tab, search, type, status, programId, createdFrom, createdUntil, ...rest } = state;
  const { from, until, currency, compare, measure, interval, highest, ...place } = rest;
  const [editing, setEditing] = useState(false);
  const edit = useLoaded(loadEdit, editing);
  const {
    data: collaborator,
    error,
    refetch,
  } = useRead(['collaborators', Number(id)], (api, options) => api.collaborators.get(id, options));
  const canEdit = may && collaborator !== undefined && collaborator.status !== 'deleted';
  useHotkeys([{ keys: 'e', label: words.edit, run: () => setEditing(true) }], { enabled: canEdit });
  // An applicant’s page keeps the link to the other applications after a decision.
  const [applicant, setApplicant] = useState<number>();
  if (collaborator?.status === 'pending' && collaborator.id !== applicant) setApplicant(collaborator.id);
  const crumbs = [
    { label: texts.title, href: '/collaborators' },
    ...(applicant === Number(id) ? [{ label: texts.waiting, href: '/collaborators?tab=waiting' }] : []),
  ];
  if (collaborator === undefined) {
    return (
      <Page title={texts.oneTitle} breadcrumbs={crumbs}>
        {error === null ? <Skeleton lines={8} /> : <ErrorPanel error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  const { status: current, rejectionReason } = collaborator;
  const notice =
    current === 'rejected' && rejectionReason !== null ? words.rejectedFor(rejectionReason) : NOTICES[current];
  return (
    <Page
      title={collaborator.name}
      breadcrumbs={crumbs}
      badge={<StatusBadge status={collaborator.status} />}
      description={collaborator.email ?? undefined}
      actions={
        canEdit && (
          <>
            <Button icon={Pencil} hotkey="E" onClick={() => setEditing(true)}>
              {words.edit}
            </Button>
            <CollaboratorMenu collaborator={collaborator} />
          </>
        )
      }
    >
      {notice !== undefined && <Notice tone="warn">{notice}</Notice>}
      <Tabs
        label={words.tabs}
        value={tab}
        onChange={(to) => change({ ...NO_FILTERS, tab: to })}
        tabs={[
          {
            value: 'overview',
            label: words.overview,
            content: (
              <OverviewTab collaborator={collaborator} state={{ ...place, status, search, type }} onChange={change} />
            ),
          },
          {
            value: 'performance',
            label: words.performance,
            content: (
              <ChartTab
                collaboratorId={collaborator.id}
                state={{ from, until, currency, compare, measure, interval, highest }}
                onChange={change}
              />
            ),
          },
          {
            value: 'programs',
            label: words.programs,
            content: <ProgramsTab collaborator={collaborator} state={{ ...place, status, search }} onChange={change} />,
          },
          {
            value: 'money',
            label: words.money,
            content: <MoneyTab collaborator={collaborator} state={{ from, until }} onChange={change} />,
          },
          {
            value: 'conversions',
            label: words.conversions,
            content: <ConversionsTab collaborator={collaborator} state={{ ...place, status }} onChange={change} />,
          },
          {
            value: 'sign-ups',
            label: words.signUps,
            content: (
              <SignUpsTab
                collaborator={collaborator}
                state={{ ...place, programId, createdFrom, createdUntil }}
                onChange={change}
              />
            ),
          },
        ]}
      />
      {editing && edit && (
        <edit.EditCollaborator id={collaborator.id} name={collaborator.name} onClose={() => setEditing(false)} />
      )}
    </Page>
  );
}

const NOTICES: Readonly<Record<string, string>> = {
  pending: words.pendingNotice,
  inactive: words.inactiveNotice,
  rejected: words.rejectedNotice,
  deleted: words.deletedNotice,
};
