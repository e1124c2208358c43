import { formatCount } from '../formats/numbers.ts';

/** Texts of lists and filters that are not in `texts.ts`, which every page loads. */
export const listTexts = {
  table: {
    sort: 'Sort by',
    selectRow: (row: string) => `Select ${row}`,
    selectPage: 'Select all on this page',
    selectAll: 'Select all that match',
    view: 'View',
    pageSize: 'Rows per page',
    perPage: (rows: string) => `${rows} rows`,
    selected: (count: number) => `${formatCount(count)} selected`,
    clearSelection: 'Clear the selection',
    bulkActions: 'Actions for selected rows',
    rows: (count: number, isMore: boolean) =>
      `${isMore ? 'More than ' : ''}${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`,
    /** The position of the page's rows in the list, such as `1–25 of 695`. */
    range: (first: number, last: number, count: number, isMore: boolean) =>
      `${formatCount(first)}–${formatCount(last)} of ${isMore ? 'more than ' : ''}${formatCount(count)}`,
    next: 'Next page',
    previous: 'Previous page',
    first: 'First page',
    exportCsv: 'Export CSV',
    exported: (rows: number, of: number) => `${formatCount(rows)} of ${formatCount(of)} rows`,
    pages: 'Pages',
    nothingMatches: 'Nothing matches these filters',
    nothingMatchesHelp: 'Remove a filter, or clear all of them.',
    clearFilters: 'Clear filters',
    nothingYet: 'Nothing here yet',
    usualOrder: 'Use the default order',
    changing: 'All rows on this page are being changed',
    changingHelp: 'The other rows follow in a few seconds.',
    rowsShown: (count: number) => `${formatCount(count)} ${count === 1 ? 'row' : 'rows'} shown`,
    hotkeys: 'In a list',
    keyNext: 'Next row',
    keyPrevious: 'Previous row',
    keySelect: 'Select the row (with Shift: all up to it)',
    keyOpen: 'Open the row',
  },

  filter: {
    filters: 'Filters',
    clearAll: 'Clear all',
    edit: (label: string) => `Filter by ${label}`,
    remove: (label: string) => `Remove the filter ${label}`,
    from: 'From',
    until: 'Up to',
    search: 'Search',
    range: (from: string | undefined, until: string | undefined) =>
      from === undefined ? `until ${until ?? ''}` : until === undefined ? `since ${from}` : `${from} – ${until}`,
  },
} as const;
