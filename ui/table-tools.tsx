import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import type { DataTableProps } from './data-table.tsx';
import styles from './data-table.module.css';
import { download } from './download.ts';
import type { ListQuery } from './list-query.ts';
import { Select } from './select.tsx';
import { listTexts } from './list-texts.ts';
import { toast } from './toast.tsx';

type TableToolsProps<Row> = Pick<
  DataTableProps<Row>,
  'filters' | 'csv' | 'csvName' | 'label' | 'columns' | 'state' | 'onChange' | 'defaultSort'
> & {
  readonly query: ListQuery;
};

/** Above the list: filters, and the list as a file. On a phone the order as well, since its headings are out of sight. */
export function TableTools<Row>({
  filters,
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
  if (filters === undefined && csv === undefined && sorts.length === 0) return null;
  const options = sorts.flatMap(({ sort, header }) => [
    { value: `-${sort}`, label: `${header} ↓` },
    { value: sort, label: `${header} ↑` },
  ]);
  const chosen = state.sort ?? defaultSort;
  const bare = filters === undefined && csv === undefined;
  return (
    <div className={bare ? styles.phoneSort : styles.bar}>
      {filters}
      {sorts.length > 0 && (
        <div className={styles.phoneSort}>
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
      {csv !== undefined && (
        <div className={styles.barEnd}>
          <ExportButton csv={csv} query={query} name={csvName ?? label.toLowerCase()} />
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
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      const { after: _, ...whole } = query;
      const answer = await csv(whole);
      download(answer instanceof Blob ? answer : await answer.blob(), `${name}.csv`);
    } catch (error) {
      toast.error(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="small" variant="ghost" icon={Download} busy={busy} onClick={() => void run()}>
      {listTexts.table.exportCsv}
    </Button>
  );
}
