import type { RefObject } from 'react';
import type { BulkAction, DataTableProps } from './data-table.tsx';
import { useHotkeys } from '../overlay/hotkeys.tsx';
import { leadsOut, useLinks } from '../controls/links.ts';
import type { Selection } from './selection.ts';
import { listTexts } from './list-texts.ts';
import { toast } from '../feedback/toast.tsx';

type RowKeysOptions<Row> = Pick<DataTableProps<Row>, 'rowHref' | 'onOpen'> & {
  readonly body: RefObject<HTMLTableSectionElement | null>;
  readonly rows: readonly Row[];
  readonly selection: Selection<Row>;
  readonly bulk: NonNullable<DataTableProps<Row>['bulk']>;
  readonly enabled: boolean;
};

/**
 * Adds the hotkeys of a list and returns a function that opens a row. The current row has the focus, so that screen
 * readers read it.
 */
export function useRowKeys<Row>({
  body,
  rows,
  selection,
  bulk,
  rowHref,
  onOpen,
  enabled,
}: RowKeysOptions<Row>): (row: Row) => void {
  const links = useLinks();
  const open = (row: Row) => {
    if (onOpen !== undefined) return onOpen(row);
    const href = rowHref?.(row);
    if (href === undefined) return;
    if (leadsOut(href)) location.assign(href);
    else links.navigate(href);
  };
  const elements = () => [...(body.current?.querySelectorAll<HTMLElement>('tr[data-row]') ?? [])];
  const current = () => {
    const within = document.activeElement?.closest<HTMLElement>('tr[data-row]');
    return within === null || within === undefined ? -1 : elements().indexOf(within);
  };
  const move = (by: number) => {
    const all = elements();
    const at = current();
    const to = at === -1 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by));
    all[to]?.focus();
    all[to]?.scrollIntoView({ block: 'nearest' });
  };
  const arrow = (by: number) => () => {
    if (current() !== -1) move(by);
  };
  const toggle = (extend: boolean) => () => {
    const id = elements()[current()]?.dataset['row'];
    const row = rows[current()];
    if (id !== undefined && row !== undefined && bulk.length > 0)
      selection.toggle(id.startsWith('n') ? Number(id.slice(1)) : id.slice(1), extend);
  };
  /**
   * Returns a function that runs an action on the current row if no rows are selected. If the row then disappears, the
   * row at its position gets the focus.
   */
  const act = (action: BulkAction<Row>) => () => {
    const at = current();
    const row = rows[at];
    if (row === undefined || selection.rows.length > 0 || action.enabled?.([row]) === false) return;
    void (async () => {
      try {
        await action.run([row]);
      } catch (error) {
        toast.error(error);
      }
    })();
    requestAnimationFrame(() => {
      const all = elements();
      if (current() === -1 && document.activeElement === document.body) all[Math.min(at, all.length - 1)]?.focus();
    });
  };
  const canOpen = onOpen !== undefined || rowHref !== undefined;
  useHotkeys(
    [
      { keys: 'j', label: listTexts.table.keyNext, run: () => move(1) },
      { keys: 'k', label: listTexts.table.keyPrevious, run: () => move(-1) },
      ...(canOpen ? [{ keys: 'Enter', label: listTexts.table.keyOpen }] : []),
      { keys: 'ArrowDown', run: arrow(1) },
      { keys: 'ArrowUp', run: arrow(-1) },
      ...(bulk.length > 0
        ? [
            { keys: 'x', label: listTexts.table.keySelect, run: toggle(false) },
            { keys: 'Shift+x', run: toggle(true) },
          ]
        : []),
      ...bulk.flatMap((action) =>
        action.hotkey === undefined || selection.rows.length > 0
          ? []
          : [{ keys: action.hotkey, label: action.label, run: act(action) }],
      ),
    ],
    { group: listTexts.table.hotkeys, enabled },
  );
  return open;
}
