import type { Collaborator, SignUp } from '@whence/sdk';
import { UserPlus } from 'lucide-react';
import { useMemo } from 'react';
import { useProgramChoices, programFilter } from '../choices.ts';
import { Answers, SignUpSignals } from './applications.tsx';
import { collaboratorTabs } from './collaborator-tabs-texts.ts';
import { collaborators as texts } from './collaborators-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { type ChangeList, type ListState, listPage } from '#web/ui/table/list-query.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';

const words = collaboratorTabs.signUps;

const BADGES = { waiting: 'pending', accepted: 'active', 'turned-away': 'rejected' };

const COLUMNS: readonly Column<SignUp>[] = [
  { id: 'program', header: words.program, cell: ({ programName }) => programName },
  {
    id: 'status',
    header: texts.list.status,
    tight: true,
    cell: ({ status }) => <StatusBadge status={BADGES[status]} label={words.statuses[status]} />,
  },
  { id: 'signals', header: words.signals, cell: ({ signals }) => <SignUpSignals signals={signals} /> },
  {
    id: 'answer',
    header: words.answer,
    cell: ({ answers }) =>
      answers.length === 0 ? <Text tone="muted">{words.noAnswer}</Text> : <Answers answers={answers} />,
  },
  { id: 'at', header: words.at, sort: 'createdAt', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export type SignUpsTabProps = {
  readonly collaborator: Collaborator;
  readonly state: ListState;
  readonly onChange: ChangeList;
};

/** Shows the portal applications of a partner, with the answers to the questions. */
export function SignUpsTab({ collaborator: { id }, state, onChange }: SignUpsTabProps) {
  const api = useApi();
  const filters = useFilters();
  return (
    <Stack gap={3}>
      <Text as="p" tone="muted">
        {words.help}
      </Text>
      <DataTable<SignUp>
        label={words.label}
        queryKey={['collaborators', id, 'sign-ups', 'list']}
        load={async (query, signal) =>
          listPage(await api.collaborators.listSignUps(id, query as object, { signal }).page())
        }
        columns={COLUMNS}
        rowId={(signUp) => signUp.id}
        rowLabel={({ programName }) => words.asked(programName)}
        rowHref={({ programId }) => `/programs/${programId}`}
        state={state}
        onChange={onChange}
        defaultSort="-id"
        filters={filters}
        csv={csvOf(`/v1/collaborators/${id}/sign-ups`)}
        csvName={`collaborator-${id}-sign-ups`}
        empty={
          <EmptyState
            icon={UserPlus}
            title={words.none}
            actions={<LinkButton href={`/collaborators/${id}?tab=programs`}>{words.toPrograms}</LinkButton>}
          >
            {words.noneHelp}
          </EmptyState>
        }
      />
    </Stack>
  );
}

function useFilters(): readonly Filter[] {
  const programs = useProgramChoices();
  return useMemo(
    () => [
      programFilter(words.program, programs),
      { id: 'at', kind: 'period', label: words.at, from: 'createdFrom', until: 'createdUntil' },
    ],
    [programs],
  );
}
