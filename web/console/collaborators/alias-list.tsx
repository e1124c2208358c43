import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Alias, Collaborator, Whence } from '@whence/sdk';
import { ArrowRightLeft, Link2, Link2Off, QrCode as QrIcon } from 'lucide-react';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { collaborators as texts } from './collaborators-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { addDays, dayOf } from '#web/ui/formats/time.ts';
import { Badge } from '#web/ui/controls/badge.tsx';
import { IconButton } from '#web/ui/controls/button.tsx';
import { Count } from '#web/ui/controls/count.tsx';
import { CopyButton, CopyLine } from '#web/ui/controls/copy.tsx';
import { type Column, DataTable, timeColumn } from '#web/ui/table/data-table.tsx';
import { ConfirmDialog, Dialog } from '#web/ui/overlay/dialog.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { type ChangeList, type ListState, listPage } from '#web/ui/table/list-query.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { QrCode } from '#web/ui/controls/qr-code.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { AddAlias } from './add-alias.tsx';
import { MoveCode } from './move-code.tsx';
import { linkOf, portalSettingsQuery } from './portal-settings.ts';

const words = texts.aliases;

const FILTERS: readonly Filter[] = [
  { id: 'type', kind: 'choice', name: 'type', label: words.type, options: words.kinds },
  { id: 'status', kind: 'choice', name: 'status', label: words.status, options: words.statuses },
];

export type AliasListProps = {
  readonly collaborator: Collaborator;
  readonly state: ListState;
  readonly onChange: ChangeList;
};

/** Shows the active links, coupons and other codes of a partner. A filter shows retired codes. */
export function AliasList({ collaborator, state, onChange }: AliasListProps) {
  const api = useApi();
  const { id } = collaborator;
  const canChange = usePermission('resources:write') && collaborator.status !== 'deleted';
  const { data: portal } = useQuery(portalSettingsQuery(api));
  const { data: usage } = useQuery(usageQuery(api, id));
  const hrefOf = ({ type, status, code }: Alias) =>
    type === 'tracking' && status === 'current' && portal !== undefined ? linkOf(portal, code) : undefined;
  const columns: readonly Column<Alias>[] = [
    { id: 'code', header: words.code, sort: 'code', cell: ({ code }) => <code>{code}</code> },
    {
      id: 'type',
      header: words.type,
      tight: true,
      cell: ({ type, status }) => (
        <Row gap={1}>
          <Badge>{words.kinds.find(({ value }) => value === type)?.label ?? type}</Badge>
          {status === 'retired' && <Badge tone="warn">{words.past}</Badge>}
        </Row>
      ),
    },
    { id: 'href', header: words.href, priority: 3, cell: hrefOf },
    {
      id: 'externalId',
      header: words.externalId,
      priority: 2,
      cell: ({ externalId }) => externalId !== null && <code>{externalId}</code>,
    },
    {
      id: 'visits',
      header: words.visits,
      align: 'end',
      priority: 2,
      cell: ({ id, type }) => usage && type !== 'coupon' && <Count value={usage.get(id)?.visits ?? 0} />,
    },
    {
      id: 'sales',
      header: words.sales,
      align: 'end',
      cell: (alias) => usage && <Count value={usage.get(alias.id)?.sales ?? 0} />,
    },
    timeColumn({ id: 'since', header: words.since, at: 'createdAt', sort: 'createdAt', priority: 3, as: 'date' }),
    {
      id: 'until',
      header: words.until,
      priority: 3,
      cell: ({ retiredAt }) => retiredAt !== null && <Time at={retiredAt} as="date" />,
    },
  ];
  return (
    <Stack gap={3} role="group" aria-label={words.title}>
      <Text as="p" tone="muted">
        {words.help} <Link href={`/collaborators/${id}?tab=performance`}>{words.results}</Link>
      </Text>
      {canChange && <AddAlias collaborator={collaborator} />}
      {portal?.landingUrl === null && (
        <Text size="small" tone="muted">
          {words.noLanding} <Link href="/settings/portal">{words.toSettings}</Link>
        </Text>
      )}
      <DataTable<Alias>
        label={words.title}
        queryKey={['collaborators', id, 'aliases']}
        load={async (query, signal) =>
          listPage(await api.collaborators.listAliases(id, query as object, { signal }).page())
        }
        columns={columns}
        rowId={(alias) => alias.id}
        rowLabel={({ code }) => words.row(code)}
        rowActions={(alias) => (
          <AliasActions alias={alias} owner={collaborator} href={hrefOf(alias)} canChange={canChange} />
        )}
        state={state}
        onChange={onChange}
        filters={FILTERS}
        search={{ name: 'search', label: words.search }}
        csv={csvOf(`/v1/collaborators/${id}/aliases`)}
        csvName={`codes-of-${id}`}
        empty={
          <EmptyState icon={Link2} title={words.emptyTitle}>
            {words.empty}
          </EmptyState>
        }
      />
    </Stack>
  );
}

const USAGE_DAYS = 365;
const MAX_CODES = 1_000;

/**
 * Returns the query for the visits and sales of each code in the last year. It loads at most MAX_CODES codes: the codes
 * with the most sales.
 */
function usageQuery(api: Whence, collaboratorId: number) {
  return queryOptions({
    queryKey: ['collaborators', collaboratorId, 'usage'],
    queryFn: async ({ signal }) => {
      const until = addDays(dayOf(Date.now()), 1);
      const span = { from: addDays(until, -USAGE_DAYS), until };
      const asked = { ...span, by: 'link', collaboratorId, highest: 'sales', limit: MAX_CODES } as const;
      const { rows } = await api.figures.get(asked, { signal });
      return new Map(rows.map((row) => [row.linkId, row]));
    },
  });
}

type AliasActionsProps = {
  readonly alias: Alias;
  readonly owner: Collaborator;
  readonly href: string | undefined;
  readonly canChange: boolean;
};

function AliasActions({ alias, owner, href, canChange }: AliasActionsProps) {
  const [shown, setShown] = useState<'qr' | 'move' | 'retire'>();
  const { code, status } = alias;
  return (
    <Row gap={0} wrap={false} justify="end">
      <CopyButton text={href ?? code} />
      {href !== undefined && (
        <>
          <IconButton icon={QrIcon} size="small" label={words.qrOf(code)} onClick={() => setShown('qr')} />
          <Dialog open={shown === 'qr'} onClose={() => setShown(undefined)} title={words.qrTitle(code)} size="small">
            <Stack gap={3} align="center">
              <QrCode text={href} size={224} fileName={`${code}-qr`} />
              <CopyLine text={href} wrap />
            </Stack>
          </Dialog>
        </>
      )}
      {canChange && status === 'current' && (
        <>
          <IconButton icon={ArrowRightLeft} size="small" label={words.moveOf(code)} onClick={() => setShown('move')} />
          {shown === 'move' && <MoveCode alias={alias} from={owner} onClose={() => setShown(undefined)} />}
          <IconButton icon={Link2Off} size="small" label={words.retireOf(code)} onClick={() => setShown('retire')} />
          <RetireDialog alias={alias} open={shown === 'retire'} onClose={() => setShown(undefined)} />
        </>
      )}
    </Row>
  );
}

type RetireDialogProps = { readonly alias: Alias; readonly open: boolean; readonly onClose: () => void };

function RetireDialog({ alias: { id, collaboratorId, code }, open, onClose }: RetireDialogProps) {
  const retire = useCall((api) => api.collaborators.retireAlias(collaboratorId, id), {
    reloads: ['collaborators'],
    done: words.retired(code),
  });
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={words.retireTitle(code)}
      confirmLabel={words.retire}
      danger
      onConfirm={retire.mutateAsync}
    >
      {words.retireHelp}
    </ConfirmDialog>
  );
}
