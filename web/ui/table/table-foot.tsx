import { ChevronLeft, ChevronRight, ChevronsLeft } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { IconButton } from '../controls/button.tsx';
import type { DataTableProps } from './data-table.tsx';
import styles from './data-table.module.css';
import { countedRows, type ListPage, listQuery, type ListState, pageNumber } from './list-query.ts';
import { listTexts } from './list-texts.ts';

type TableFootProps = {
  readonly data: ListPage<unknown>;
  readonly state: ListState;
  /** The number of hidden rows on this page. */
  readonly hiddenCount: number;
  /** The number of hidden rows on all pages. */
  readonly hiddenOnAllPages: number;
  readonly onChange: DataTableProps<unknown>['onChange'];
  /** The totals of the list. */
  readonly children?: ReactNode;
};

/** Shows the number of rows and the page navigation. */
export function TableFoot({ data, state, hiddenCount, hiddenOnAllPages, onChange, children }: TableFootProps) {
  const page = pageNumber(state);
  // The cursors of earlier pages. The API returns only the cursor of the next page, so store the cursors for the button
  // “Previous page”.
  const trail = useRef(new Map<string, string>());
  const nameOf = (number: number) => `${number} ${JSON.stringify({ ...listQuery(state), after: undefined })}`;
  const { next } = data;
  const { count, isMore } = countedRows(data, state);
  const shown = data.rows.length;
  const left = Math.max(0, count - hiddenOnAllPages);
  // If rows of other pages are hidden, the position of this page's rows is not known.
  const isCountOnly = shown === count || shown === hiddenCount || hiddenOnAllPages > hiddenCount;
  // The last page can have fewer rows than the others, so its rows are counted from the end.
  const last = next === undefined ? count : page * shown;
  const begin = () => onChange({ after: undefined, page: undefined });
  const back = () => {
    const before = trail.current.get(nameOf(page - 1));
    if (page <= 2 || before === undefined) begin();
    else onChange({ after: before, page: String(page - 1) });
  };
  const forth = () => {
    if (state.after !== undefined) trail.current.set(nameOf(page), state.after);
    onChange({ after: next, page: String(page + 1) });
  };
  return (
    <div className={styles.foot}>
      <span>
        {isCountOnly
          ? listTexts.table.rows(left, isMore)
          : listTexts.table.range(last - shown + 1, last - hiddenCount, left, isMore)}
      </span>
      {children}
      {(next !== undefined || page > 1) && (
        <nav className={styles.pages} aria-label={listTexts.table.pages}>
          {page > 2 && <IconButton size="small" icon={ChevronsLeft} label={listTexts.table.first} onClick={begin} />}
          <IconButton
            size="small"
            variant="secondary"
            icon={ChevronLeft}
            label={listTexts.table.previous}
            disabled={page === 1}
            onClick={back}
          />
          <IconButton
            size="small"
            variant="secondary"
            icon={ChevronRight}
            label={listTexts.table.next}
            disabled={next === undefined}
            onClick={forth}
          />
        </nav>
      )}
    </div>
  );
}
