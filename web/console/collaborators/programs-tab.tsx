import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Collaborator, Program, Whence } from '@whence/sdk';
import { UserMinus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { collaborators as texts } from './collaborators-texts.ts';
import { rewardText } from '../programs/rewards-texts.ts';
import { Badge, StatusBadge } from '#web/ui/controls/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { type ChangeList, type ListQuery, type ListState, listPage } from '#web/ui/table/list-query.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { ChangeRate } from './change-rate.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

const words = texts.programs;

const STATUS: Filter = {
  id: 'status',
  kind: 'choice',
  name: 'status',
  label: texts.list.status,
  options: words.statuses,
};

export type ProgramsTabProps = {
  readonly collaborator: Collaborator;
  readonly state: ListState;
  readonly onChange: ChangeList;
};

/**
 * Lists the programs, and shows whether the partner can earn in each of them. Without a chosen order, each page begins
 * with the programs that are open to all partners or in which the partner is enrolled.
 */
export function ProgramsTab({ collaborator, state, onChange }: ProgramsTabProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const load = async (query: ListQuery, signal: AbortSignal) => {
    const page = listPage(await api.programs.list(query as object, { signal }).page());
    if (query.sort !== undefined) return page;
    const marked = await Promise.all(
      page.rows.map(async (program) => ({
        program,
        isIn:
          program.enrollment !== 'selected' ||
          (await queryClient.fetchQuery(enrolledQuery(api, { program, collaborator }))),
      })),
    );
    const rows = marked.toSorted((a, b) => Number(b.isIn) - Number(a.isIn)).map(({ program }) => program);
    return { ...page, rows };
  };
  const columns: readonly Column<Program>[] = [
    { id: 'program', header: words.program, sort: 'name', cell: ({ name }) => name },
    { id: 'status', header: texts.list.status, tight: true, cell: ({ status }) => <StatusBadge status={status} /> },
    { id: 'reward', header: words.reward, cell: (program) => <Reward program={program} collaborator={collaborator} /> },
    { id: 'may', header: words.may, cell: (program) => <Taking program={program} collaborator={collaborator} /> },
  ];
  return (
    <Stack gap={3}>
      <Text as="p" tone="muted">
        {words.help}
      </Text>
      <DataTable<Program>
        label={words.label}
        queryKey={['programs', 'of-collaborator', collaborator.id]}
        load={load}
        columns={columns}
        rowId={({ id }) => id}
        rowLabel={({ name }) => name}
        rowHref={({ id }) => `/programs/${id}`}
        state={state}
        onChange={onChange}
        filters={[STATUS]}
        search={{ name: 'search', label: words.search }}
        csv={csvOf('/v1/programs')}
        csvName="programs"
        empty={<EmptyState title={words.none} />}
      />
    </Stack>
  );
}

type Of = { readonly program: Program; readonly collaborator: Collaborator };

/** Returns the query that finds out whether a partner is enrolled in a program. */
function enrolledQuery(api: Whence, { program, collaborator }: Of) {
  return {
    queryKey: ['programs', program.id, 'has', collaborator.id],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
      const query = { collaboratorId: collaborator.id, perPage: 1 };
      return (await api.programs.listEnrollments(program.id, query, { signal }).page()).data.length > 0;
    },
  };
}

function useCanChange({ program, collaborator }: Of): boolean {
  return usePermission('resources:write') && collaborator.status !== 'deleted' && program.status !== 'deleted';
}

function Reward({ program, collaborator }: Of) {
  const canChange = useCanChange({ program, collaborator });
  const own = program.collaboratorRewards.find(({ collaboratorId }) => collaboratorId === collaborator.id);
  return (
    <Row gap={2}>
      <span>{rewardText((own ?? program).reward, program.currency)}</span>
      {own !== undefined && <Badge tone="accent">{words.customRate}</Badge>}
      {canChange && <ChangeRate program={program} collaborator={collaborator} />}
    </Row>
  );
}

function Taking({ program, collaborator }: Of) {
  const api = useApi();
  const queryClient = useQueryClient();
  const canChange = useCanChange({ program, collaborator });
  const [busy, setBusy] = useState(false);
  const isSelected = program.enrollment === 'selected';
  const { data: enrolled } = useQuery({ ...enrolledQuery(api, { program, collaborator }), enabled: isSelected });
  if (!isSelected) return <Text tone="muted">{words.open}</Text>;
  if (enrolled === undefined) return <Skeleton width="10ch" />;
  const set = async (to: boolean) => {
    if (to) await api.programs.enrollCollaborator(program.id, { collaboratorId: collaborator.id });
    else await api.programs.removeCollaborator(program.id, collaborator.id);
    await queryClient.invalidateQueries({ queryKey: ['programs'] });
  };
  const change = async () => {
    setBusy(true);
    try {
      await set(!enrolled);
      const title = (enrolled ? words.removedToast : words.enrolledToast)(program.name);
      toast.withUndo({ title, undo: () => set(enrolled) });
    } catch (error) {
      toast.error(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Row gap={2} wrap={false}>
      <StatusBadge status={enrolled ? 'enrolled' : 'removed'} label={enrolled ? words.enrolled : words.notEnrolled} />
      {canChange && (
        <Button
          size="small"
          variant="ghost"
          busy={busy}
          icon={enrolled ? UserMinus : UserPlus}
          aria-label={enrolled ? words.removeFrom(program.name) : words.enrollIn(program.name)}
          onClick={() => void change()}
        >
          {enrolled ? words.remove : words.enroll}
        </Button>
      )}
    </Row>
  );
}
