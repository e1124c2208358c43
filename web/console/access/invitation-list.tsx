import type { Invitation } from '@whence/sdk';
import { MailPlus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Author } from '../author.tsx';
import { usePermission } from '../session.ts';
import { people as texts } from './people-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { IconButton } from '#web/ui/controls/button.tsx';
import { type Column, DataTable, timeColumn } from '#web/ui/table/data-table.tsx';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { listPage } from '#web/ui/table/list-query.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { Time } from '#web/ui/controls/time.tsx';
import type { PeopleListProps } from './person-list.tsx';

const TONES = { open: 'info', accepted: 'good', revoked: 'neutral', expired: 'neutral' } as const;

const FILTERS: readonly Filter[] = [
  { id: 'invited', kind: 'period', from: 'createdFrom', until: 'createdUntil', label: texts.columns.invited },
];

const COLUMNS: readonly Column<Invitation>[] = [
  { id: 'email', header: texts.columns.email, cell: ({ email }) => email ?? texts.anybody },
  { id: 'role', header: texts.columns.role, cell: ({ role }) => texts.roles[role] },
  {
    id: 'status',
    header: texts.columns.state,
    cell: ({ status }) => <StatusBadge status={status} label={texts.invitationStatuses[status]} tone={TONES[status]} />,
  },
  {
    id: 'by',
    header: texts.columns.by,
    priority: 2,
    cell: ({ invitedBy }) => <Author author={invitedBy} link={false} />,
  },
  timeColumn({ id: 'invited', header: texts.columns.invited, at: 'createdAt', sort: 'createdAt', priority: 2 }),
  {
    id: 'ends',
    header: texts.columns.ends,
    cell: ({ status, expiresAt }) => (status === 'open' ? <Time at={expiresAt} /> : NOTHING),
  },
];

export function InvitationList({ state, onChange, invite }: PeopleListProps & { readonly invite: ReactNode }) {
  const api = useApi();
  const may = usePermission('people:write');
  const [revoking, setRevoking] = useState<Invitation>();
  // Drop `role` and `status`, because the invitation list has no filters for them.
  const { role: _, status: __, ...own } = state;
  return (
    <>
      <DataTable<Invitation>
        label={texts.tab.invitations}
        queryKey={['invitations', 'list']}
        load={async (query, signal) => listPage(await api.invitations.list(query as object, { signal }).page())}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ email }) => texts.invitation(email ?? texts.anybody)}
        rowActions={may ? (invitation) => <Revoke invitation={invitation} onPress={setRevoking} /> : undefined}
        state={own}
        onChange={onChange}
        defaultSort="-id"
        filters={FILTERS}
        csv={csvOf('/v1/invitations')}
        csvName="invitations"
        empty={
          <EmptyState icon={MailPlus} title={texts.emptyTitle} actions={invite}>
            {texts.empty}
          </EmptyState>
        }
      />
      {revoking !== undefined && <Revoking invitation={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
}

type RevokeProps = { readonly invitation: Invitation; readonly onPress: (invitation: Invitation) => void };

/** Shows the button for revoking an invitation, or nothing if the invitation is no longer open. */
function Revoke({ invitation, onPress }: RevokeProps) {
  if (invitation.status !== 'open') return null;
  const label = texts.revoke.of(invitation.email ?? texts.anybody);
  return <IconButton icon={Trash2} size="small" label={label} onClick={() => onPress(invitation)} />;
}

type RevokingProps = { readonly invitation: Invitation; readonly onClose: () => void };

function Revoking({ invitation: { id, email }, onClose }: RevokingProps) {
  const revoke = useCall((api) => api.invitations.revoke(id), { reloads: ['invitations'], done: texts.revoke.done });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={texts.revoke.title(email ?? texts.anybody)}
      confirmLabel={texts.revoke.confirm}
      danger
      onConfirm={revoke.mutateAsync}
    >
      {texts.revoke.detail}
    </ConfirmDialog>
  );
}
