// On a phone the parts of the table are laid out as cards, and browsers may take their roles away with it: so they are
// said.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/control-has-associated-label */
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useMemo, useRef } from 'react';
import { BulkBar } from './bulk-bar.tsx';
import { classNames } from './class-names.ts';
import styles from './data-table.module.css';
import { EmptyState } from './empty-state.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { type ChangeList, type ListPage, type ListQuery, listQuery, type ListState } from './list-query.ts';
import { TableFoot } from './table-foot.tsx';
import { TableHead } from './table-head.tsx';
import { SkeletonRows, TableRow } from './table-row.tsx';
import { TableTools } from './table-tools.tsx';
import { VisuallyHidden } from './text.tsx';
import { listTexts } from './list-texts.ts';
import { TimesTakeFocus } from './time.tsx';
import { useRowKeys } from './row-keys.ts';
import { useSelection } from './selection.ts';
import { Button } from './button.tsx';

export type RowId = string | number;

export type Column<Row> = {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** The API's field to sort by; without it the column can't be sorted. */
  readonly sort?: string | undefined;
  /** `end` for numbers and amounts. */
  readonly align?: 'start' | 'end' | undefined;
  /** 1: always there. 2: from 860 px. 3: from 1,120 px. On a phone's card all are, unless `onCard` is false. */
  readonly priority?: 1 | 2 | 3 | undefined;
  /** On the phone's card: false is not at all, `top` is without its heading at the title's end, for an amount. */
  readonly onCard?: boolean | 'top' | undefined;
  /** As narrow as what is in it. */
  readonly tight?: boolean | undefined;
};

export type BulkAction<Row> = {
  readonly id: string;
  readonly label: string;
  readonly icon?: LucideIcon | undefined;
  readonly danger?: boolean | undefined;
  /** A key that does it, such as `a`. */
  readonly hotkey?: string | undefined;
  /** Only for rows of which each may have it done. */
  readonly enabled?: ((rows: readonly Row[]) => boolean) | undefined;
  /** The selection is cleared when it is done, unless it answers false. */
  readonly run: (rows: readonly Row[]) => unknown;
};

export type DataTableProps<Row> = {
  /** What the list holds, read out: “Conversions”. */
  readonly label: string;
  /** Of TanStack Query, without the state: `['conversions']`. What is invalidated by it is loaded again. */
  readonly queryKey: QueryKey;
  /** One page. Its query has filters, `sort` and `after` as the address has them. */
  readonly load: (query: ListQuery, signal: AbortSignal) => Promise<ListPage<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly rowId: (row: Row) => RowId;
  /** A row in a few words, for who can't see it: “conversion 41”. */
  readonly rowLabel: (row: Row) => string;
  readonly state: ListState;
  /** A change of filters or order drops `after` and `page`. */
  readonly onChange: ChangeList;
  /** Where a row leads: the first column links there, and Enter and a press on the row go there. */
  readonly rowHref?: ((row: Row) => string | undefined) | undefined;
  /** In the place of an address: what opening a row does. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  /** With actions rows can be selected. */
  readonly bulk?: readonly BulkAction<Row>[] | undefined;
  /** At the end of each row: a Menu. */
  readonly rowActions?: ((row: Row) => ReactNode) | undefined;
  /** Filters: a FilterBar. */
  readonly filters?: ReactNode;
  /** The same list as CSV, whole: a call with `Accept: text/csv`. */
  readonly csv?: ((query: ListQuery) => Promise<Response | Blob>) | undefined;
  readonly csvName?: string | undefined;
  /** The order when the state has none, to mark its column: `-id`. */
  readonly defaultSort?: string | undefined;
  /** Shown where there is nothing and no filter: what to do next. */
  readonly empty?: ReactNode;
  /** Loads again every so many ms. */
  readonly refetchMs?: number | undefined;
  /** Rows that are taken off the page before the service knows: those that an undoable action has. */
  readonly hidden?: ((row: Row) => boolean) | undefined;
  /** False: without a border, in a Card that has one. */
  readonly framed?: boolean | undefined;
  /** False: the page has another list that has the keys j, k, x. */
  readonly hotkeys?: boolean | undefined;
};

/**
 * A list of the API, page by page: sorted, filtered, selected, exported. What it shows is in `state`, which belongs into the address. Below 640 px each row is a
 * card. Keys: j and k (or arrows, within it) go from row to row, x selects (with Shift all between), Enter opens.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    queryKey,
    load,
    columns,
    rowId,
    state,
    rowHref,
    onOpen,
    bulk = [],
    rowActions,
    refetchMs,
    hidden,
  } = props;
  const query = listQuery(state);
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    queryKey: [...queryKey, query],
    queryFn: ({ signal }) => load(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs ?? false,
  });
  const rows = useMemo(() => (data?.rows ?? []).filter((row) => hidden?.(row) !== true), [data, hidden]);
  const selection = useSelection(rows, rowId, JSON.stringify({ ...query, after: undefined, sort: undefined }));
  const body = useRef<HTMLTableSectionElement>(null);
  const canOpen = rowHref !== undefined || onOpen !== undefined;
  const open = useRowKeys({ body, rows, selection, bulk, rowHref, onOpen, enabled: props.hotkeys !== false });
  const selectable = bulk.length > 0;
  const failed = error !== null && data === undefined;
  return (
    <div className={classNames(styles.frame, props.framed === false && styles.bare)}>
      <TableTools {...props} query={query} />
      {failed ? (
        <div className={styles.message}>
          <ErrorPanel error={error} onRetry={() => void refetch()} />
          {state.sort !== undefined && (
            <Button size="small" onClick={() => props.onChange({ sort: undefined, after: undefined, page: undefined })}>
              {listTexts.table.usualOrder}
            </Button>
          )}
        </div>
      ) : !isPending && rows.length === 0 ? (
        <Nothing {...props} />
      ) : (
        <div className={styles.scroll}>
          <table className={styles.table} role="table" aria-label={label} aria-busy={isPending || isPlaceholderData}>
            <TableHead
              {...{ columns, state, selectable, selection }}
              onChange={props.onChange}
              defaultSort={props.defaultSort}
              hasActions={rowActions !== undefined}
            />
            <tbody ref={body} role="rowgroup" className={classNames(styles.body, isPlaceholderData && styles.stale)}>
              {isPending ? (
                <SkeletonRows columns={columns} selectable={selectable} hasActions={rowActions !== undefined} />
              ) : (
                <TimesTakeFocus value={false}>
                  {rows.map((row) => (
                    <TableRow
                      key={rowId(row)}
                      {...{ row, columns, selectable, selection, rowActions, rowHref }}
                      id={rowId(row)}
                      label={props.rowLabel(row)}
                      onOpen={canOpen ? open : undefined}
                    />
                  ))}
                </TimesTakeFocus>
              )}
            </tbody>
          </table>
        </div>
      )}
      {selection.rows.length > 0 && <BulkBar actions={bulk} selection={selection} />}
      {data !== undefined && (rows.length > 0 || state.after !== undefined) && (
        <TableFoot {...{ data, state }} hiddenCount={data.rows.length - rows.length} onChange={props.onChange} />
      )}
      <VisuallyHidden role="status">
        {data === undefined || isPlaceholderData ? '' : listTexts.table.rowsShown(rows.length)}
      </VisuallyHidden>
    </div>
  );
}

/** Nothing at all, or nothing that the filters let through. */
function Nothing<Row>({ state, onChange, empty }: Pick<DataTableProps<Row>, 'state' | 'onChange' | 'empty'>) {
  const filters = Object.keys(state).filter(
    (name) => !['sort', 'after', 'page'].includes(name) && state[name] !== undefined && state[name] !== '',
  );
  if (filters.length === 0) return empty ?? <EmptyState title={listTexts.table.nothingYet} />;
  const cleared = Object.fromEntries(filters.map((name) => [name, undefined]));
  return (
    <EmptyState
      title={listTexts.table.nothingMatches}
      actions={
        <Button onClick={() => onChange({ ...cleared, after: undefined, page: undefined })}>
          {listTexts.table.clearFilters}
        </Button>
      }
    >
      {listTexts.table.nothingMatchesHelp}
    </EmptyState>
  );
}
