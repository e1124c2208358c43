import { useQueryClient } from '@tanstack/react-query';
import type { Enrollment, Program } from '@whence/sdk';
import { UserMinus, Users } from 'lucide-react';
import { AddPartner } from '../add-partner.tsx';
import { CollaboratorName, useNames } from '../names.tsx';
import { usePermission } from '../session.ts';
import { programTabs } from './program-tabs-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { IconButton } from '#web/ui/controls/button.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { type ListState, listPage } from '#web/ui/table/list-query.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import styles from './program.module.css';

const words = programTabs.enrolled;

const COLUMNS: readonly Column<Enrollment>[] = [
  {
    id: 'name',
    header: words.name,
    cell: ({ collaboratorId }) => <CollaboratorName id={collaboratorId} link={false} />,
  },
  { id: 'status', header: words.status, tight: true, cell: ({ status }) => <StatusBadge status={status} /> },
  { id: 'since', header: words.since, sort: 'createdAt', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const FILTERS: readonly Filter[] = [
  { id: 'status', kind: 'choice', name: 'status', label: words.status, options: words.statuses },
];

export type EnrolledTabProps = {
  readonly program: Program;
  readonly state: ListState;
  onChange(this: void, patch: ListState, options?: { readonly replace?: boolean }): void;
};

/** Shows the enrolled partners, with a field for enrolling further partners. */
export function EnrolledTab({ program, state, onChange }: EnrolledTabProps) {
  const api = useApi();
  const canChange = usePermission('resources:write') && program.status !== 'deleted';
  const enrolled = useEnrolled(program);
  return (
    <Stack gap={4}>
      {program.enrollment === 'everyone' && <Notice>{words.everyoneNotice}</Notice>}
      {canChange && (
        <AddPartner
          label={words.add}
          placeholder={words.addPlaceholder}
          submitLabel={words.enroll}
          className={styles.enroll}
          onAdd={enrolled.enroll}
        />
      )}
      <DataTable<Enrollment>
        label={words.label}
        queryKey={['programs', program.id, 'enrolled']}
        load={async (query, signal) =>
          listPage(await api.programs.listEnrollments(program.id, query as object, { signal }).page())
        }
        columns={COLUMNS}
        rowId={({ collaboratorId }) => collaboratorId}
        rowLabel={({ collaboratorId }) => words.row(collaboratorId)}
        rowHref={({ collaboratorId }) => `/collaborators/${collaboratorId}`}
        state={state}
        onChange={onChange}
        filters={FILTERS}
        csv={csvOf(`/v1/programs/${program.id}/collaborators`)}
        csvName={`program-${program.id}-collaborators`}
        rowActions={canChange ? (row) => <Remove enrollment={row} onRemove={enrolled.remove} /> : undefined}
        empty={
          <EmptyState icon={Users} title={words.emptyTitle}>
            {words.empty}
          </EmptyState>
        }
      />
    </Stack>
  );
}

function useEnrolled({ id }: Program) {
  const api = useApi();
  const queryClient = useQueryClient();
  const renew = () => queryClient.invalidateQueries({ queryKey: ['programs', id] });
  const enroll = async (collaboratorId: number) => {
    await api.programs.enrollCollaborator(id, { collaboratorId });
    await renew();
  };
  const remove = async (collaboratorId: number) => {
    await api.programs.removeCollaborator(id, collaboratorId);
    await renew();
  };
  return {
    enroll: async (collaboratorId: number, name: string) => {
      await enroll(collaboratorId);
      toast.withUndo({ title: words.enrolledToast(name), undo: () => remove(collaboratorId) });
    },
    remove: async (collaboratorId: number, name: string) => {
      await remove(collaboratorId);
      toast.withUndo({ title: words.removed(name), undo: () => enroll(collaboratorId) });
    },
  };
}

type RemoveProps = {
  readonly enrollment: Enrollment;
  readonly onRemove: (collaboratorId: number, name: string) => Promise<void>;
};

function Remove({ enrollment: { collaboratorId, status }, onRemove }: RemoveProps) {
  const name = useNames('collaborators', [collaboratorId])(collaboratorId);
  if (status === 'removed') return null;
  return (
    <IconButton
      icon={UserMinus}
      size="small"
      label={words.removeOf(name)}
      onClick={() => void onRemove(collaboratorId, name).catch(toast.error)}
    />
  );
}
