import { X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../controls/button.tsx';
import type { BulkAction } from './data-table.tsx';
import styles from './bulk-bar.module.css';
import { strokeText, useHotkeys } from '../overlay/hotkeys.tsx';
import type { Selection } from './selection.ts';
import { listTexts } from './list-texts.ts';
import { toast } from '../feedback/toast.tsx';

type BulkBarProps<Row> = { readonly actions: readonly BulkAction<Row>[]; readonly selection: Selection<Row> };

/** Shows the actions for all selected rows. */
export function BulkBar<Row>({ actions, selection }: BulkBarProps<Row>) {
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
        {listTexts.table.selected(rows.length)}
      </span>
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
          onClick={() => void run(action)}
        >
          {action.label}
        </Button>
      ))}
    </div>
  );
}
