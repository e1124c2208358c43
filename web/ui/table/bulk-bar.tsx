import { X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../controls/button.tsx';
import type { BulkAction, DataTableProps } from './data-table.tsx';
import styles from './bulk-bar.module.css';
import { formatMoney } from '../formats/money.ts';
import { strokeText, useHotkeys } from '../overlay/hotkeys.tsx';
import type { Selection } from './selection.ts';
import { listTexts } from './list-texts.ts';
import { toast } from '../feedback/toast.tsx';

type BulkBarProps<Row> = {
  readonly actions: readonly BulkAction<Row>[];
  readonly selection: Selection<Row>;
  readonly amountOf?: DataTableProps<Row>['amountOf'];
  /**
   * Loads the rows of all pages. Undefined if the list has one page, or while only some rows of this page and no rows
   * of other pages are selected.
   */
  readonly loadAll?: (() => Promise<readonly Row[]>) | undefined;
};

/** Shows the actions for all selected rows. */
export function BulkBar<Row>({ actions, selection, amountOf, loadAll }: BulkBarProps<Row>) {
  const [busy, setBusy] = useState<string>();
  const { rows } = selection;
  const can = ({ enabled }: BulkAction<Row>) => enabled === undefined || enabled(rows);
  const run = async (action: BulkAction<Row>) => {
    if (busy !== undefined || !can(action)) return;
    setBusy(action.id);
    try {
      if ((await action.run(rows)) !== false) selection.clear();
    } catch (error) {
      toast.error(error);
    } finally {
      setBusy(undefined);
    }
  };
  const selectAll = async (load: () => Promise<readonly Row[]>) => {
    setBusy('all');
    try {
      selection.add(await load());
    } catch (error) {
      toast.error(error);
    } finally {
      setBusy(undefined);
    }
  };
  const sums = amountOf === undefined ? [] : sumsOf(rows.map(amountOf));
  useHotkeys(
    [
      ...actions.flatMap((action) =>
        action.hotkey === undefined ? [] : [{ keys: action.hotkey, label: action.label, run: () => void run(action) }],
      ),
      { keys: 'Escape', label: listTexts.table.clearSelection, run: selection.clear },
    ],
    { group: listTexts.table.hotkeys },
  );
  return (
    <div className={styles.bulk} role="toolbar" aria-label={listTexts.table.bulkActions}>
      <span className={styles.bulkCount} role="status">
        {[listTexts.table.selected(rows.length), ...sums].join(' · ')}
      </span>
      {loadAll !== undefined && (
        <Button size="small" busy={busy === 'all'} onClick={() => void selectAll(loadAll)}>
          {listTexts.table.selectAll}
        </Button>
      )}
      <IconButton icon={X} size="small" label={listTexts.table.clearSelection} onClick={selection.clear} />
      {actions.map((action) => (
        <Button
          key={action.id}
          size="small"
          icon={action.icon}
          variant={action.danger === true ? 'danger' : 'secondary'}
          hotkey={action.hotkey === undefined ? undefined : strokeText(action.hotkey)}
          disabled={!can(action)}
          busy={busy === action.id}
          title={action.partly?.(rows)?.title}
          onClick={() => void run(action)}
        >
          {action.partly?.(rows)?.label ?? action.label}
        </Button>
      ))}
    </div>
  );
}

/** Returns the sum of the amounts in each currency as formatted text. */
function sumsOf(amounts: readonly { readonly amount: number; readonly currency: string }[]): string[] {
  const sums = Map.groupBy(amounts, ({ currency }) => currency);
  return [...sums].map(([currency, each]) =>
    formatMoney(
      each.reduce((sum, { amount }) => sum + amount, 0),
      currency,
    ),
  );
}
