import { Settings2 } from 'lucide-react';
import { IconButton } from '../controls/button.tsx';
import { Segmented } from '../controls/segmented.tsx';
import { Checkbox } from '../form/checkbox.tsx';
import { Popover } from '../overlay/popover.tsx';
import popup from '../overlay/popup.module.css';
import type { Column } from './data-table.tsx';
import styles from './view-menu.module.css';
import type { ChangeList, ListState } from './list-query.ts';
import { listTexts } from './list-texts.ts';

const PAGE_SIZES = ['25', '50', '100'] as const;
/** The number of rows on a page if the URL has none. It is the API's default. */
const USUAL_SIZE = '25';

type ViewMenuProps<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly state: ListState;
  readonly onChange: ChangeList;
};

/** Selects the columns and the page size of a list. Both are in the URL, so that a bookmark includes them. */
export function ViewMenu<Row>({ columns, state, onChange }: ViewMenuProps<Row>) {
  const hidden = hiddenIds(state);
  const show = (id: string, isShown: boolean) => {
    const ids = isShown ? hidden.filter((each) => each !== id) : [...hidden, id];
    onChange({ hidden: ids.length === 0 ? undefined : ids.join(',') }, { replace: true });
  };
  const size = PAGE_SIZES.find((each) => each === state['perPage']) ?? USUAL_SIZE;
  return (
    <Popover
      trigger={<IconButton icon={Settings2} size="small" label={listTexts.table.view} />}
      label={listTexts.table.view}
      align="end"
      className={popup.panel}
    >
      {() => (
        <div className={styles.view}>
          <Segmented
            label={listTexts.table.pageSize}
            options={PAGE_SIZES.map((value) => ({ value, label: listTexts.table.perPage(value) }))}
            value={size}
            onChange={(value) => onChange({ perPage: value === USUAL_SIZE ? undefined : value }, { replace: true })}
          />
          {/* The first column identifies the row and links to it, so it is always shown. */}
          {columns.slice(1).map(({ id, header }) => (
            <Checkbox key={id} label={header} checked={!hidden.includes(id)} onChange={(on) => show(id, on)} />
          ))}
        </div>
      )}
    </Popover>
  );
}

/** Returns the columns that the view shows. The first column is always shown. */
export function shownColumns<Row>(columns: readonly Column<Row>[], state: ListState): readonly Column<Row>[] {
  const hidden = hiddenIds(state);
  return hidden.length === 0 ? columns : columns.filter(({ id }, at) => at === 0 || !hidden.includes(id));
}

function hiddenIds({ hidden }: ListState): string[] {
  return hidden === undefined ? [] : hidden.split(',');
}
