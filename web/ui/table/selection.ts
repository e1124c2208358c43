import { useCallback, useRef, useState } from 'react';
import type { DataTableProps, RowId } from './data-table.tsx';
import { rangeOf } from './list-query.ts';

export type Selection<Row> = {
  /** The selected rows on all pages. */
  readonly rows: readonly Row[];
  readonly has: (id: RowId) => boolean;
  /** Whether all rows of the page are selected. */
  readonly all: boolean;
  /** Whether at least one row of the page is selected. */
  readonly some: boolean;
  /** Whether rows of other pages are selected. */
  readonly isBeyondPage: boolean;
  /** Toggles a row. With `extend`, all rows from the last toggled row to this row get the same state. */
  readonly toggle: (id: RowId, extend: boolean) => void;
  readonly togglePage: () => void;
  /** Selects all of the given rows, which can be on other pages. */
  readonly add: (rows: readonly Row[]) => void;
  readonly clear: () => void;
  /** Returns the known rows on all pages that are hidden in data that was loaded at the given time. */
  readonly hiddenRows: (loadedAt: number) => readonly Row[];
};

type SelectionOptions<Row> = Pick<DataTableProps<Row>, 'rowId' | 'hidden'> & {
  /** The visible rows of the page. */
  readonly rows: readonly Row[];
  /** The rows of the page with the hidden rows. */
  readonly loaded: readonly Row[];
  /** The filters of the list. New filters clear the selection. */
  readonly scope: string;
};

type Kept<Row> = {
  readonly scope: string;
  readonly rows: ReadonlyMap<RowId, Row>;
  readonly hidden: ReadonlyMap<RowId, Row>;
};

/**
 * Returns the selected rows of a list, and functions that change them. A selected row that becomes hidden leaves the
 * selection, because an action has changed it.
 */
export function useSelection<Row>({ rows, loaded, rowId, scope, hidden }: SelectionOptions<Row>): Selection<Row> {
  const [kept, setKept] = useState<Kept<Row>>(() => emptyIn(scope));
  const touched = useRef<RowId>(undefined);
  const before = kept.scope === scope ? kept : emptyIn<Row>(scope);
  const isHidden = (row: Row): boolean => hidden?.(row, 0) === true;
  const chosen = new Map([...before.rows].filter(([, row]) => !isHidden(row)));
  const onThisPage = loaded.map((row) => [rowId(row), row] as const);
  const concealed = new Map([...before.hidden, ...before.rows, ...onThisPage].filter(([, row]) => isHidden(row)));
  // In the state, move hidden rows to `hidden`. Otherwise, they would be selected again when they are no longer hidden.
  if ([...concealed.keys()].some((id) => before.rows.has(id) || !before.hidden.has(id)))
    setKept({ scope, rows: chosen, hidden: concealed });
  const byId = new Map(rows.map((row) => [rowId(row), row]));
  const ids = [...byId.keys()];
  const onPage = ids.filter((id) => chosen.has(id)).length;

  const change = (on: boolean, changed: readonly RowId[]) => {
    const next = new Map(chosen);
    for (const id of changed) {
      const row = byId.get(id);
      if (on && row !== undefined) next.set(id, row);
      else next.delete(id);
    }
    setKept({ scope, rows: next, hidden: concealed });
  };
  const clear = useCallback(() => setKept((before) => ({ ...before, rows: new Map() })), []);
  // Replace selected rows with their newer versions after a reload.
  const selected = [...chosen].map(([id, row]) => byId.get(id) ?? row);
  return {
    rows: selected,
    has: (id) => chosen.has(id),
    all: ids.length > 0 && onPage === ids.length,
    some: onPage > 0,
    isBeyondPage: chosen.size > onPage,
    toggle: (id, extend) => {
      const range = extend && touched.current !== undefined ? rangeOf(ids, touched.current, id) : [id];
      change(!chosen.has(id), range);
      touched.current = id;
    },
    togglePage: () => change(onPage < ids.length, ids),
    add: (added) =>
      setKept({
        scope,
        rows: new Map([...chosen, ...added.map((row) => [rowId(row), row] as const)]),
        hidden: concealed,
      }),
    clear,
    hiddenRows: (loadedAt) => [...concealed.values()].filter((row) => hidden?.(row, loadedAt) === true),
  };
}

function emptyIn<Row>(scope: string): Kept<Row> {
  return { scope, rows: new Map(), hidden: new Map() };
}
