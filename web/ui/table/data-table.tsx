// On a phone, CSS shows the table's parts as cards, and browsers may drop their roles. Roles are therefore explicit.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/control-has-associated-label */
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, type ReactNode, useMemo, useRef } from 'react';
import { BulkBar } from './bulk-bar.tsx';
import type { Filter } from './filters.ts';
import { classNames } from '../controls/class-names.ts';
import styles from './data-table.module.css';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorPanel } from '../feedback/error-panel.tsx';
import { type ChangeList, type ListPage, type ListQuery, listQuery, type ListState } from './list-query.ts';
import { ListTotals, type LoadTotals } from './list-totals.tsx';
import { TableFoot } from './table-foot.tsx';
import { TableHead } from './table-head.tsx';
import { SkeletonRows, TableRow } from './table-row.tsx';
import { TableTools } from './table-tools.tsx';
import { VisuallyHidden } from '../controls/text.tsx';
import { listTexts } from './list-texts.ts';
import { Time, TimesTakeFocus } from '../controls/time.tsx';
import { useRowKeys } from './row-keys.ts';
import { useSelection } from './selection.ts';
import { shownColumns } from './view-menu.tsx';
import { Button } from '../controls/button.tsx';

export type RowId = string | number;

export type Column<Row> = {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** The API's sort field. Without it, the column is not sortable. */
  readonly sort?: string | undefined;
  /** `end` is for numbers and amounts. */
  readonly align?: 'start' | 'end' | undefined;
  /**
   * The window width at which the column is visible. 1: any width. 2: above 860 px. 3: above 1,120 px. Phone cards show
   * all columns unless `onCard` is false.
   */
  readonly priority?: 1 | 2 | 3 | undefined;
  /** The cell on a phone's card. False hides it. `top` shows it next to the title without its heading. */
  readonly onCard?: boolean | 'top' | undefined;
  /** Whether the column is only as wide as its content. Default: false. */
  readonly tight?: boolean | undefined;
};

type TimeNames<Row> = { [Name in keyof Row]: Row[Name] extends string ? Name : never }[keyof Row];

type TimeColumn<Row> = Omit<Column<Row>, 'cell'> & {
  /** The field of the row with the time. */
  readonly at: TimeNames<Row>;
  readonly as?: ComponentProps<typeof Time>['as'];
};

/** Returns a column that shows a time of each row. */
export function timeColumn<Row>({ at, as, ...column }: TimeColumn<Row>): Column<Row> {
  return { ...column, cell: (row) => <Time at={row[at] as string} as={as} /> };
}

export type BulkAction<Row> = {
  readonly id: string;
  readonly label: string;
  readonly icon?: LucideIcon | undefined;
  readonly danger?: boolean | undefined;
  /** The action's hotkey, such as `a`. */
  readonly hotkey?: string | undefined;
  /** Returns the label and a tooltip if the action changes only some of the selected rows: “Approve 38 of 41”. */
  readonly partly?:
    ((rows: readonly Row[]) => { readonly label: string; readonly title: string } | undefined) | undefined;
  /** Returns whether the action is allowed for all of the given rows. */
  readonly enabled?: ((rows: readonly Row[]) => boolean) | undefined;
  /** Runs the action. The selection is cleared afterwards, unless the action returns false. */
  readonly run: (rows: readonly Row[]) => unknown;
};

export type DataTableProps<Row> = {
  /** The name of the list for screen readers: “Commissions”. */
  readonly label: string;
  /** The TanStack Query key without the state: `['conversions']`. Invalidating it reloads the list. */
  readonly queryKey: QueryKey;
  /** Loads one page. The query has the filters, the sorting, the page size and the cursor of `state`. */
  readonly load: (query: ListQuery, signal: AbortSignal) => Promise<ListPage<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly rowId: (row: Row) => RowId;
  /** Returns a short name of a row for screen readers: “commission 41”. */
  readonly rowLabel: (row: Row) => string;
  readonly state: ListState;
  /** Called with changes to the state. A new filter or sorting clears `after` and `page`. */
  readonly onChange: ChangeList;
  /** Returns the URL of a row. The first column links to it, and Enter or a press on the row opens it. */
  readonly rowHref?: ((row: Row) => string | undefined) | undefined;
  /** Opens a row. It takes precedence over `rowHref`. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  /** Bulk actions. They make rows selectable. */
  readonly bulk?: readonly BulkAction<Row>[] | undefined;
  /**
   * Returns the amount of a row in hundredths of its currency. The bar of the bulk actions shows the sums of the
   * selected rows.
   */
  readonly amountOf?: ((row: Row) => { readonly amount: number; readonly currency: string }) | undefined;
  /** Returns the buttons or the menu at the end of a row. */
  readonly rowActions?: ((row: Row) => ReactNode) | undefined;
  /** A heading above the list, on the line of the filters. */
  readonly heading?: ReactNode;
  readonly filters?: readonly Filter[] | undefined;
  /** The filter that is always visible as a text field, such as `search`. */
  readonly search?: { readonly name: string; readonly label: string } | undefined;
  /** Loads the totals of all rows that match the filters. They are shown below the list. */
  readonly totals?: LoadTotals | undefined;
  /** Loads the complete list as CSV, usually with `csvOf` from `web/ui/shell/api-csv.ts`. */
  readonly csv?: ((query: ListQuery) => Promise<Response | Blob>) | undefined;
  readonly csvName?: string | undefined;
  /** The sorting if `state` has none, such as `-id`. The heading of its column is marked. */
  readonly defaultSort?: string | undefined;
  /** Advice about the next step. It is shown if the list is empty without filters. */
  readonly empty?: ReactNode;
  /** The polling interval in milliseconds. */
  readonly refetchMs?: number | undefined;
  /**
   * Returns whether a row is hidden before the service confirms its change, for undoable actions. `loadedAt` is when the
   * data was loaded, in milliseconds since 1970. Numbers and totals do not count hidden rows.
   */
  readonly hidden?: ((row: Row, loadedAt: number) => boolean) | undefined;
  /** Whether the table has a border. Pass false in a Card. Default: true. */
  readonly framed?: boolean | undefined;
  /**
   * Whether the hotkeys for rows work, such as j, k and x. Pass false if another list on the page uses them. Default:
   * true.
   */
  readonly hotkeys?: boolean | undefined;
};

/**
 * Shows a list of the API page by page, with sorting, filters, selection and export. `state` describes the view and
 * belongs in the URL. Up to a window width of 640 px, each row is a card.
 *
 * Hotkeys: j and k (or arrows, if a row has the focus) move between rows. x selects a row, and Shift+x a range of rows.
 * Enter opens a row.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    queryKey,
    load,
    columns: allColumns,
    rowId,
    state,
    rowHref,
    onOpen,
    bulk = [],
    rowActions,
    amountOf,
    refetchMs,
    hidden,
  } = props;
  const columns = shownColumns(allColumns, state);
  const query = listQuery(state);
  const { data, dataUpdatedAt, error, isPending, isPlaceholderData, refetch } = useQuery({
    queryKey: [...queryKey, query],
    queryFn: ({ signal }) => load(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs ?? false,
  });
  const loaded = data?.rows ?? NO_ROWS;
  const rows = useMemo(
    () => loaded.filter((row) => hidden?.(row, dataUpdatedAt) !== true),
    [loaded, dataUpdatedAt, hidden],
  );
  const scope = JSON.stringify({ ...query, after: undefined, sort: undefined, perPage: undefined });
  const selection = useSelection({ rows, loaded, rowId, scope, hidden });
  const { hiddenRows } = selection;
  const body = useRef<HTMLTableSectionElement>(null);
  const canOpen = rowHref !== undefined || onOpen !== undefined;
  const open = useRowKeys({ body, rows, selection, bulk, rowHref, onOpen, enabled: props.hotkeys !== false });
  const selectable = bulk.length > 0;
  const hasOtherRows = data?.next !== undefined || state.after !== undefined;
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
        <Nothing {...props} isChanging={hasOtherRows && data.rows.length > 0} />
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
      {selection.rows.length > 0 && (
        <BulkBar
          actions={bulk}
          selection={selection}
          amountOf={amountOf}
          {...((data?.next === undefined && state.after === undefined) || !(selection.all || selection.isBeyondPage)
            ? {}
            : {
                loadAll: async () => (await loadAll(load, query)).filter((row) => hidden?.(row, Date.now()) !== true),
              })}
        />
      )}
      {data !== undefined && (rows.length > 0 || hasOtherRows) && (
        <TableFoot
          {...{ data, state }}
          hiddenCount={data.rows.length - rows.length}
          hiddenOnAllPages={hiddenRows(dataUpdatedAt).length}
          onChange={props.onChange}
        >
          {props.totals !== undefined && (
            <ListTotals
              {...{ queryKey, query }}
              load={props.totals}
              hiddenAmounts={(loadedAt) => (amountOf === undefined ? [] : hiddenRows(loadedAt).map(amountOf))}
            />
          )}
        </TableFoot>
      )}
      <VisuallyHidden role="status">
        {data === undefined || isPlaceholderData ? '' : listTexts.table.rowsShown(rows.length)}
      </VisuallyHidden>
    </div>
  );
}

const NO_ROWS: readonly never[] = [];

/** The maximum number of rows that “Select all that match” loads. */
const MAX_SELECTED = 1_000;
/** The page size for loading all rows, which is the API's maximum. */
const LARGEST_PAGE = '100';

/** Loads the rows of all pages, up to MAX_SELECTED. */
async function loadAll<Row>(load: DataTableProps<Row>['load'], query: ListQuery): Promise<Row[]> {
  const rows: Row[] = [];
  const { signal } = new AbortController();
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const page = await load({ ...query, perPage: LARGEST_PAGE, after }, signal);
    rows.push(...page.rows);
    after = rows.length < MAX_SELECTED ? page.next : undefined;
  }
  return rows.slice(0, MAX_SELECTED);
}

type NothingProps<Row> = Pick<DataTableProps<Row>, 'state' | 'onChange' | 'empty'> & {
  /**
   * Whether there are other pages, and all rows of this page are hidden until the service has confirmed their changes.
   */
  readonly isChanging: boolean;
};

/** Shows that a list is empty, that no row matches the filters, or that the page waits for its next rows. */
function Nothing<Row>({ state, onChange, empty, isChanging }: NothingProps<Row>) {
  if (isChanging) return <EmptyState title={listTexts.table.changing}>{listTexts.table.changingHelp}</EmptyState>;
  const filters = Object.keys(state).filter(
    (name) =>
      !['sort', 'after', 'page', 'perPage', 'hidden'].includes(name) && state[name] !== undefined && state[name] !== '',
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
