import { useQueryClient } from '@tanstack/react-query';
import type { AuditEntry } from '@whence/sdk';
import { ScrollText } from 'lucide-react';
import { Author } from '#console/author.tsx';
import { audit as texts } from '#console/texts/audit.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { type Filter, FilterBar } from '#ui/filter-bar.tsx';
import { listPage } from '#ui/list-query.ts';
import { Page } from '#ui/page.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { csvOf } from '#ui/shell/csv.ts';
import { besideField, optionalField, useListState } from '#ui/shell/list-state.ts';
import { Text } from '#ui/text.tsx';
import { Time } from '#ui/time.tsx';
import { AuditDrawer } from './audit-drawer.tsx';
import { operationWords } from './operation-words.ts';

const SCHEMA = {
  operation: optionalField(),
  author: optionalField(),
  path: optionalField(),
  from: optionalField(),
  until: optionalField(),
  sort: optionalField(),
  after: optionalField(),
  page: optionalField(),
  /** The entry whose details are shown. */
  entry: besideField(optionalField()),
};

const FILTERS: readonly Filter[] = [
  {
    id: 'operation',
    kind: 'text',
    name: 'operation',
    label: texts.filters.operation,
    placeholder: 'approveConversion',
  },
  {
    id: 'author',
    kind: 'text',
    name: 'author',
    label: texts.filters.author,
    placeholder: 'person 1',
    description: texts.filters.authorHelp,
  },
  { id: 'path', kind: 'text', name: 'path', label: texts.filters.path, placeholder: '/v1/programs/5' },
  { id: 'at', kind: 'period', from: 'from', until: 'until', label: texts.filters.at },
];

const COLUMNS: readonly Column<AuditEntry>[] = [
  { id: 'what', header: texts.columns.what, cell: ({ operation }) => operationWords(operation) },
  {
    id: 'where',
    header: texts.columns.where,
    priority: 2,
    cell: ({ path }) => (
      <Text mono size="small" cut>
        {path}
      </Text>
    ),
  },
  { id: 'who', header: texts.columns.who, cell: ({ author }) => <Author author={author} /> },
  { id: 'at', header: texts.columns.at, sort: 'at', cell: ({ at }) => <Time at={at} as="datetime" /> },
];

/** Who changed what, and when. */
export function AuditPage() {
  const api = useApi();
  const queries = useQueryClient();
  const [{ entry, ...state }, change] = useListState(SCHEMA);
  return (
    <Page title={texts.title} description={texts.description}>
      <DataTable<AuditEntry>
        label={texts.label}
        queryKey={['auditEntries', 'list']}
        load={async (query, signal) => listPage(await api.auditEntries.list(query as object, { signal }).page())}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ id }) => texts.row(id)}
        onOpen={(row) => {
          queries.setQueryData(['auditEntries', String(row.id)], row);
          change({ entry: String(row.id) });
        }}
        state={state}
        onChange={change}
        defaultSort="-id"
        filters={<FilterBar filters={FILTERS} state={state} onChange={change} />}
        csv={csvOf('/v1/audit-entries')}
        csvName="audit"
        empty={
          <EmptyState icon={ScrollText} title={texts.emptyTitle}>
            {texts.empty}
          </EmptyState>
        }
      />
      <AuditDrawer id={entry} onClose={() => change({ entry: undefined }, { replace: true })} />
    </Page>
  );
}
