import { useQueryClient } from '@tanstack/react-query';
import type { AuditEntry } from '@whence/sdk';
import { ScrollText } from 'lucide-react';
import { useMemo } from 'react';
import { Author } from '../author.tsx';
import { audit as texts } from './audit-texts.ts';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { listPage } from '#web/ui/table/list-query.ts';
import { Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { besideField, optionalField, useListState, PLACE_FIELDS, optionalFields } from '#web/ui/shell/list-state.ts';
import { Time } from '#web/ui/controls/time.tsx';
import { AuditDrawer } from './audit-drawer.tsx';
import { auditFilters } from './audit-filters.ts';
import { operationWords } from './operation-words.ts';
import { subjectOf } from './subject.ts';

const SCHEMA = {
  ...optionalFields('operation', 'author', 'path', 'from', 'until'),
  ...PLACE_FIELDS,
  /** The id of the audit record in the drawer. */
  entry: besideField(optionalField()),
};

const COLUMNS: readonly Column<AuditEntry>[] = [
  { id: 'what', header: texts.columns.what, cell: ({ operation }) => operationWords(operation) },
  { id: 'subject', header: texts.columns.subject, cell: (entry) => subjectOf(entry)?.label ?? NOTHING },
  { id: 'who', header: texts.columns.who, cell: ({ author }) => <Author author={author} link={false} /> },
  { id: 'at', header: texts.columns.at, sort: 'at', cell: ({ at }) => <Time at={at} as="datetime" /> },
];

export function AuditPage() {
  const api = useApi();
  const queries = useQueryClient();
  const filters = useMemo(() => auditFilters(api), [api]);
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
        filters={filters}
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
