import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../controls/button.tsx';
import type { DataTableProps } from './data-table.tsx';
import styles from './data-table.module.css';
import type { Exported } from './export-list.ts';
import { FilterBar } from './filter-bar.tsx';
import type { ListQuery } from './list-query.ts';
import { Select } from '../form/select.tsx';
import { listTexts } from './list-texts.ts';
import { Text } from '../controls/text.tsx';
import { toast } from '../feedback/toast.tsx';
import { ViewMenu } from './view-menu.tsx';

type TableToolsProps<Row> = Pick<
  DataTableProps<Row>,
  'heading' | 'filters' | 'search' | 'csv' | 'csvName' | 'label' | 'columns' | 'state' | 'onChange' | 'defaultSort'
> & {
  readonly query: ListQuery;
};

/**
 * Shows filters and the export above the list. On a phone, it also shows the sorting, because the headings are hidden.
 */
export function TableTools<Row>({
  heading,
  filters,
  search,
  csv,
  csvName,
  label,
  query,
  columns,
  state,
  onChange,
  defaultSort,
}: TableToolsProps<Row>) {
  const sorts = columns.flatMap(({ sort, header }) => (sort === undefined ? [] : [{ sort, header }]));
  const filtered = (filters !== undefined && filters.length > 0) || search !== undefined;
  // Only a list whose view is in the URL has the field `perPage`.
  const hasView = 'perPage' in state;
  if (!filtered && csv === undefined && sorts.length === 0 && !hasView) return null;
  const options = sorts.flatMap(({ sort, header }) => [
    { value: `-${sort}`, label: `${header} ↓` },
    { value: sort, label: `${header} ↑` },
  ]);
  const chosen = state.sort ?? defaultSort;
  const bare = !filtered && csv === undefined && !hasView;
  return (
    <div className={bare ? styles.onPhone : styles.bar}>
      {heading}
      {filtered && <FilterBar filters={filters ?? []} state={state} onChange={onChange} search={search} />}
      {sorts.length > 0 && (
        <div className={styles.onPhone}>
          <Select
            label={listTexts.table.sort}
            hideLabel
            options={options}
            value={options.some(({ value }) => value === chosen) ? (chosen ?? null) : null}
            placeholder={listTexts.table.sort}
            onChange={(sort) => onChange({ sort, after: undefined, page: undefined })}
          />
        </div>
      )}
      {(csv !== undefined || hasView) && (
        <div className={styles.barEnd}>
          {csv !== undefined && <ExportButton csv={csv} query={query} name={csvName ?? label.toLowerCase()} />}
          {hasView && <ViewMenu columns={columns} state={state} onChange={onChange} />}
        </div>
      )}
    </div>
  );
}

type ExportButtonProps = {
  readonly csv: (query: ListQuery) => Promise<Response | Blob>;
  readonly query: ListQuery;
  readonly name: string;
};

function ExportButton({ csv, query, name }: ExportButtonProps) {
  const [state, setState] = useState<Partial<Exported>>();
  const run = async () => {
    setState({});
    try {
      const { exportList } = await import('./export-list.ts');
      const { after: _, perPage: __, ...whole } = query;
      await exportList(await csv(whole), `${name}.csv`, setState);
    } catch (error) {
      toast.error(error);
    } finally {
      setState(undefined);
    }
  };
  return (
    <>
      {state?.rows !== undefined && state.of !== undefined && (
        <Text tone="muted" size="small" role="status">
          {listTexts.table.exported(state.rows, state.of)}
        </Text>
      )}
      <Button size="small" variant="ghost" icon={Download} busy={state !== undefined} onClick={() => void run()}>
        {listTexts.table.exportCsv}
      </Button>
    </>
  );
}
