import { useCallback, useRef, useState } from 'react';
import type { RowId } from './data-table.tsx';
import { rangeOf } from './list-query.ts';

export type Selection<Row> = {
  /** The selected rows on all pages. */
  readonly rows: readonly Row[];
  readonly has: (id: RowId) => boolean;
  /** Whether all rows of the page are selected. */
  readonly all: boolean;
  /** Whether at least one row of the page is selected. */
  readonly some: boolean;
  /** Toggles a row. With `extend`, all rows from the last toggled row to this row get the same state. */
  readonly toggle: (id: RowId, extend: boolean) => void;
  readonly togglePage: () => void;
  /** Selects all of the given rows, which can be on other pages. */
  readonly add: (rows: readonly Row[]) => void;
  readonly clear: () => void;
};

/** Returns the selected rows of a list, and functions that change them. New filters (`scope`) clear the selection. */
export function useSelection<Row>(rows: readonly Row[], rowId: (row: Row) => RowId, scope: string): Selection<Row> {
  const [kept, setKept] = useState<{ readonly scope: string; readonly rows: ReadonlyMap<RowId, Row> }>({
    scope,
    rows: new Map(),
  });
  const touched = useRef<RowId>(undefined);
  const chosen = kept.scope === scope ? kept.rows : (new Map() as ReadonlyMap<RowId, Row>);
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
    setKept({ scope, rows: next });
  };
  const clear = useCallback(() => setKept((before) => ({ ...before, rows: new Map() })), []);
  // Replace selected rows with their newer versions after a reload.
  const selected = [...chosen].map(([id, row]) => byId.get(id) ?? row);
  return {
    rows: selected,
    has: (id) => chosen.has(id),
    all: ids.length > 0 && onPage === ids.length,
    some: onPage > 0,
    toggle: (id, extend) => {
      const range = extend && touched.current !== undefined ? rangeOf(ids, touched.current, id) : [id];
      change(!chosen.has(id), range);
      touched.current = id;
    },
    togglePage: () => change(onPage < ids.length, ids),
    add: (added) => setKept({ scope, rows: new Map([...chosen, ...added.map((row) => [rowId(row), row] as const)]) }),
    clear,
  };
}
