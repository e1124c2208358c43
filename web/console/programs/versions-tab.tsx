import type { Program } from '@whence/sdk';
import { programTerms } from './program-terms-texts.ts';
import { programTabs } from './program-tabs-texts.ts';
import { programs as texts } from './programs-texts.ts';
import { Badge } from '#web/ui/controls/badge.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { type ChangeList, type ListState, listPage } from '#web/ui/table/list-query.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { stringifySearch } from '#web/ui/shell/search.ts';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { changedTerms } from './changes.tsx';
import { VersionDrawer } from './version-drawer.tsx';
import { addPreviousVersions, type Compared } from './version-query.ts';

const words = programTabs.versions;

const FILTERS: readonly Filter[] = [
  { id: 'at', kind: 'period', label: words.at, from: 'createdFrom', until: 'createdUntil' },
];

export type VersionsTabProps = {
  readonly program: Program;
  readonly state: ListState;
  /** The number of the version in the drawer. */
  readonly shown: string | undefined;
  readonly onChange: ChangeList;
};

export function VersionsTab({ program: { id, version: current }, state, shown, onChange }: VersionsTabProps) {
  const api = useApi();
  return (
    <Stack gap={3}>
      <Text as="p" tone="muted">
        {words.help}
      </Text>
      <DataTable<Compared>
        label={words.title}
        queryKey={['programs', id, 'versions']}
        load={async (query, signal) => {
          const { rows, ...page } = listPage(await api.programs.listVersions(id, query as object, { signal }).page());
          return { ...page, rows: await addPreviousVersions(api, id, rows, signal) };
        }}
        columns={columnsOf(current)}
        rowId={({ version }) => version}
        rowLabel={({ version }) => texts.page.version(version)}
        rowHref={({ version }) =>
          `/programs/${id}${stringifySearch({ ...state, tab: 'versions', version: `${version}` })}`
        }
        onOpen={({ version }) => onChange({ version: `${version}` })}
        state={state}
        onChange={onChange}
        defaultSort="-version"
        filters={FILTERS}
        csv={csvOf(`/v1/programs/${id}/versions`)}
        csvName={`program-${id}-versions`}
      />
      <VersionDrawer
        programId={id}
        version={shown}
        onClose={() => onChange({ version: undefined }, { replace: true })}
      />
    </Stack>
  );
}

function columnsOf(current: number): readonly Column<Compared>[] {
  return [
    {
      id: 'version',
      header: words.version,
      sort: 'version',
      tight: true,
      cell: ({ version }) => texts.page.version(version),
    },
    { id: 'changed', header: words.changed, cell: (version) => <Changed version={version} current={current} /> },
    { id: 'at', header: words.at, sort: 'createdAt', tight: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}

function Changed({ version, current }: { readonly version: Compared; readonly current: number }) {
  return (
    <Row gap={2}>
      <span>{changedText(version)}</span>
      {version.version === current && <Badge tone="good">{words.current}</Badge>}
    </Row>
  );
}

function changedText({ before, ...version }: Compared): string {
  if (before === undefined) return words.first;
  const fields = changedTerms(before, version).map((term) => programTerms.labels[term]);
  return fields.length === 0 ? words.sameFields : fields.join(', ');
}
