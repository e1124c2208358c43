// On a phone, CSS shows the table's parts as cards, and browsers may drop their roles. Roles are therefore explicit.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/control-has-associated-label */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { classNames } from '../controls/class-names.ts';
import type { Column, DataTableProps } from './data-table.tsx';
import styles from './data-table.module.css';
import { type ListState, nextSort, sortDirection } from './list-query.ts';
import { RowCheckbox } from './row-checkbox.tsx';
import type { Selection } from './selection.ts';
import { VisuallyHidden } from '../controls/text.tsx';
import { listTexts } from './list-texts.ts';
import { texts } from '../shell/texts.ts';

type TableHeadProps<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly state: ListState;
  readonly onChange: DataTableProps<Row>['onChange'];
  readonly defaultSort: string | undefined;
  readonly selectable: boolean;
  readonly selection: Selection<Row>;
  readonly hasActions: boolean;
};

/** Renders the headings of a list. Sortable headings are buttons. */
export function TableHead<Row>({
  columns,
  state,
  onChange,
  defaultSort,
  selectable,
  selection,
  hasActions,
}: TableHeadProps<Row>) {
  return (
    <thead className={styles.headings} role="rowgroup">
      <tr role="row">
        {selectable && (
          <th role="columnheader" scope="col" className={classNames(styles.heading, styles.check)}>
            <label className={styles.selectPage}>
              <RowCheckbox
                label={listTexts.table.selectPage}
                checked={selection.all}
                indeterminate={!selection.all && selection.some}
                onChange={selection.togglePage}
              />
              <span className={styles.onPhone}>{listTexts.table.selectPage}</span>
            </label>
          </th>
        )}
        {columns.map((column) => (
          <Heading
            key={column.id}
            column={column}
            sort={state.sort ?? defaultSort}
            onSort={(sort) => onChange({ sort, after: undefined, page: undefined })}
          />
        ))}
        {hasActions && (
          <th role="columnheader" scope="col" className={styles.heading}>
            <VisuallyHidden>{texts.more}</VisuallyHidden>
          </th>
        )}
      </tr>
    </thead>
  );
}

type HeadingProps<Row> = {
  readonly column: Column<Row>;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
};

function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>) {
  const { header, align, priority = 1, tight, sort: field } = column;
  const direction = field === undefined ? undefined : sortDirection(sort, field);
  const Icon = direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={direction}
      className={classNames(
        styles.heading,
        align === 'end' && styles.end,
        tight && styles.tight,
        styles[`priority${priority}`],
      )}
    >
      {field === undefined ? (
        header
      ) : (
        <button
          type="button"
          className={classNames(styles.sort, direction === undefined ? styles.unsorted : styles.sorted)}
          onClick={() => onSort(nextSort(sort, field))}
        >
          {header}
          <Icon aria-hidden />
        </button>
      )}
    </th>
  );
}
