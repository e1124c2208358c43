// On a phone, CSS shows the table's parts as cards, and browsers may drop their roles. Roles are therefore explicit.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/control-has-associated-label */
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { classNames } from '../controls/class-names.ts';
import type { Column, DataTableProps, RowId } from './data-table.tsx';
import styles from './data-table.module.css';
import { NOTHING } from '../formats/numbers.ts';
import { Link } from '../controls/link.tsx';
import { RowCheckbox } from './row-checkbox.tsx';
import type { Selection } from './selection.ts';
import { Skeleton } from '../feedback/skeleton.tsx';
import { listTexts } from './list-texts.ts';

type TableRowProps<Row> = Pick<DataTableProps<Row>, 'columns' | 'rowActions' | 'rowHref'> & {
  readonly row: Row;
  readonly id: RowId;
  readonly label: string;
  readonly selectable: boolean;
  readonly selection: Selection<Row>;
  readonly onOpen: ((row: Row) => void) | undefined;
};

/** Renders a row of a list. A press outside of its controls opens the row. */
export function TableRow<Row>({
  row,
  id,
  label,
  columns,
  selectable,
  selection,
  rowActions,
  rowHref,
  onOpen,
}: TableRowProps<Row>) {
  const selected = selection.has(id);
  const href = rowHref?.(row);
  const press = (event: MouseEvent<HTMLTableRowElement>) => {
    const text = getSelection();
    // Don't open the row if the user has selected text in it.
    if (isControl(event) || (text !== null && !text.isCollapsed)) return;
    onOpen?.(row);
  };
  const enter = (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) onOpen?.(row);
  };
  return (
    <tr
      role="row"
      data-row={`${typeof id === 'number' ? 'n' : 's'}${id}`}
      tabIndex={-1}
      aria-selected={selectable ? selected : undefined}
      className={classNames(
        styles.row,
        onOpen && styles.opens,
        selectable && styles.selectable,
        rowActions && styles.hasActions,
        columns.some(({ onCard }) => onCard === 'top') && styles.hasTop,
      )}
      // A press with Shift selects rows, so prevent the selection of the text between them.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={onOpen === undefined ? undefined : press}
      onKeyDown={enter}
    >
      {selectable && (
        <td role="cell" className={classNames(styles.cell, styles.check)}>
          <RowCheckbox
            label={listTexts.table.selectRow(label)}
            checked={selected}
            onChange={(_, shift) => selection.toggle(id, shift)}
          />
        </td>
      )}
      {columns.map((column, at) => (
        <Cell key={column.id} column={column} title={at === 0}>
          {at === 0 && href !== undefined ? (
            <Link href={href} className={styles.rowLink}>
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </Cell>
      ))}
      {rowActions !== undefined && (
        <td role="cell" className={classNames(styles.cell, styles.actions)}>
          {rowActions(row)}
        </td>
      )}
    </tr>
  );
}

type CellProps<Row> = { readonly column: Column<Row>; readonly title: boolean; readonly children: ReactNode };

function Cell<Row>({ column, title, children }: CellProps<Row>) {
  const { header, align, priority = 1, tight, onCard } = column;
  return (
    <td
      role="cell"
      data-label={title ? undefined : header}
      className={classNames(
        styles.cell,
        title && styles.title,
        align === 'end' && styles.end,
        tight && styles.tight,
        styles[`priority${priority}`],
        (onCard === false || isNothing(children)) && styles.hiddenOnCard,
        onCard === 'top' && styles.top,
      )}
    >
      {title ? children : <span className={styles.value}>{children}</span>}
    </td>
  );
}

/** Returns whether the content of a cell is empty. A card on a phone omits empty cells, and a table keeps them. */
function isNothing(children: ReactNode): boolean {
  return children === NOTHING || children === '' || children === null || children === undefined || children === false;
}

const SKELETON_ROWS = 8;

type SkeletonRowsProps<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly selectable: boolean;
  readonly hasActions: boolean;
};

/** Renders placeholder rows while the first page loads. */
export function SkeletonRows<Row>({ columns, selectable, hasActions }: SkeletonRowsProps<Row>) {
  return Array.from({ length: SKELETON_ROWS }, (_, at) => (
    <tr key={at} role="row" className={styles.row}>
      {selectable && <td role="cell" className={classNames(styles.cell, styles.check)} />}
      {columns.map((column, place) => (
        <Cell key={column.id} column={column} title={place === 0}>
          <Skeleton width={`${WIDTHS[(at + place * 3) % WIDTHS.length] ?? 60}px`} />
        </Cell>
      ))}
      {hasActions && <td role="cell" className={styles.cell} />}
    </tr>
  ));
}

const WIDTHS = [96, 64, 120, 80, 52];

function isControl({ target }: MouseEvent): boolean {
  return (
    target instanceof Element &&
    target.closest('a,button,input,label,[role=checkbox],[role=menu],[role=menuitem]') !== null
  );
}
