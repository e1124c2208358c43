import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  computedPage,
  countedRows,
  listPage,
  type ListQuery,
  listQuery,
  nextSort,
  pageNumber,
  rangeOf,
  sortDirection,
} from '#web/ui/table/list-query.ts';
import { pointerOf, problemOf } from '#web/ui/feedback/problem.ts';
import { type Piece, piecesOf } from '#web/ui/explanation/explanation-pieces.ts';
import { type RowReader, wholeList } from '#web/ui/table/whole-list.ts';
import { scheduleUndoable } from '#web/ui/feedback/undoable.ts';

describe('the state of a list', () => {
  it('a list state is converted to an API query without parameters that only the page uses', () => {
    const state = { status: 'pending', q: '', sort: '-id', after: 'abc', page: '3', who: undefined };
    assert.deepEqual(listQuery(state), { status: 'pending', sort: '-id', after: 'abc' });
  });

  it('the page number is 1 if the URL has no cursor or an invalid page parameter', () => {
    assert.equal(pageNumber({ page: '7' }), 1);
    assert.equal(pageNumber({ page: '7', after: 'x' }), 7);
    assert.equal(pageNumber({ page: 'x', after: 'x' }), 1);
  });

  it('a list with one row more than its pages may have more rows, unless the service computes the list as a whole', () => {
    const page = (estimatedCount: number) => ({ data: [1, 2], estimatedCount, after: 'x' });
    assert.deepEqual(countedRows(listPage(page(3)), {}), { count: 2, isMore: true });
    assert.deepEqual(countedRows(listPage(page(4)), {}), { count: 4, isMore: false });
    assert.deepEqual(countedRows(listPage(page(5)), { after: 'w', page: '2' }), { count: 4, isMore: true });
    assert.deepEqual(countedRows(computedPage(page(3)), {}), { count: 3, isMore: false });
    assert.deepEqual(countedRows(computedPage(page(5)), { after: 'w', page: '2' }), { count: 5, isMore: false });
    assert.deepEqual(countedRows(computedPage(page(10_001)), {}), { count: 10_000, isMore: true });
  });

  it('a press on a column heading sorts descending, then ascending, then by the default order', () => {
    assert.equal(nextSort(undefined, 'amount'), '-amount');
    assert.equal(nextSort('-amount', 'amount'), 'amount');
    assert.equal(nextSort('amount', 'amount'), undefined);
    assert.equal(nextSort('-id', 'amount'), '-amount');
    assert.equal(sortDirection('-id', 'id'), 'descending');
    assert.equal(sortDirection('id', 'id'), 'ascending');
    assert.equal(sortDirection('-id', 'amount'), undefined);
  });

  it('a Shift selection covers the range in either direction', () => {
    assert.deepEqual(rangeOf([5, 4, 3, 2], 4, 2), [4, 3, 2]);
    assert.deepEqual(rangeOf([5, 4, 3, 2], 2, 4), [4, 3, 2]);
    assert.deepEqual(rangeOf([5, 4], 9, 4), [4]);
    assert.deepEqual(rangeOf([5, 4], 9, 8), []);
  });
});

describe('a list that is loaded as a whole', () => {
  const row = (name: string, at: string | null) => ({ name, at });
  const all = [
    row('Phone', '2026-11-03T09:00:00.000Z'),
    row('blue key', null),
    row('Desk phone', '2026-11-02T00:00:00.000Z'),
  ];
  type Row = (typeof all)[number];
  const at = (each: Row) => each.at;
  const reader: RowReader<Row> = { text: ({ name }) => name, at, sorts: { name: ({ name }) => name, at } };
  const shown = (query: ListQuery) => wholeList(all, query, reader).rows.map(({ name }) => name);

  it('is searched case-insensitively and sorted, and otherwise keeps its order', () => {
    assert.deepEqual(shown({}), ['Phone', 'blue key', 'Desk phone']);
    assert.deepEqual(shown({ search: 'PHONE' }), ['Phone', 'Desk phone']);
    assert.deepEqual(shown({ sort: 'name' }), ['blue key', 'Desk phone', 'Phone']);
    assert.deepEqual(shown({ sort: '-name' }), ['Phone', 'Desk phone', 'blue key']);
    assert.deepEqual(shown({ sort: '-at' }), ['Phone', 'Desk phone', 'blue key'], 'a missing time sorts last');
    assert.deepEqual(shown({ sort: 'who knows' }), shown({}));
  });

  it('a time filter includes its start, excludes its end, and omits rows without a time', () => {
    const [second, third] = ['2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z'];
    assert.deepEqual(shown({ from: second, until: third }), ['Desk phone']);
    assert.deepEqual(shown({ from: third }), ['Phone']);
    assert.deepEqual(shown({ until: second }), []);
    assert.deepEqual(shown({ from: 'some day' }), shown({}));
    assert.equal(wholeList(all, { from: second }, reader).estimatedCount, 2);
  });
});

describe('problemOf and pointerOf', () => {
  const words = { titles: { unavailable: 'Not available' }, unknown: 'Something went wrong' };

  it('problemOf reads a problem from any thrown value', () => {
    assert.deepEqual(problemOf(new TypeError('x is not a function'), words), {
      code: undefined,
      status: undefined,
      title: 'Something went wrong',
      detail: 'x is not a function',
      errors: [],
    });
    const problem = {
      code: 'unavailable',
      status: 503,
      detail: 'Soon.',
      errors: [{ pointer: '/a', code: 'b', detail: 'c' }, 7],
    };
    assert.deepEqual(problemOf(problem, words), {
      code: 'unavailable',
      status: 503,
      title: 'Not available',
      detail: 'Soon.',
      errors: [{ pointer: '/a', code: 'b', detail: 'c' }],
    });
    assert.equal(problemOf('no', words).detail, 'no');
    assert.equal(problemOf(undefined, words).detail, 'undefined');
  });

  it('pointerOf returns the JSON pointer of a field name', () => {
    assert.equal(pointerOf('name'), '/name');
    assert.equal(pointerOf('reward.amount'), '/reward/amount');
    assert.equal(pointerOf('items[0].name'), '/items/0/name');
    assert.equal(pointerOf('/reward/amount'), '/reward/amount');
  });
});

describe('piecesOf: a line of an explanation', () => {
  it('splits a line into pieces whose text adds up to the line', () => {
    const said = (piece: Piece) => {
      switch (piece.kind) {
        case 'words':
          return piece.text;
        case 'money':
          return `${piece.minor < 0n ? '-' : ''}${Number(piece.minor < 0n ? -piece.minor : piece.minor) / 100} ${piece.currency}`;
        case 'collaborator':
          return `(${piece.text})`;
        default:
          return piece satisfies never;
      }
    };
    const line = 'Ann (collaborator 7) got -19.25 USD of (200.00 USD), v1.25 EURO.';
    assert.equal(piecesOf(line).map(said).join(''), line);
    assert.deepEqual(
      piecesOf(line).flatMap(({ kind }) => (kind === 'words' ? [] : kind)),
      ['collaborator', 'money'],
    );
  });
});

describe('an action that can be undone', () => {
  const page = new EventTarget();

  it('is carried out once when its delay is over', async () => {
    let done = 0;
    await new Promise<void>((resolve) => {
      const later = scheduleUndoable(
        () => {
          done += 1;
          resolve();
        },
        1,
        page,
      );
      assert.equal(done, 0);
      void later;
    });
    page.dispatchEvent(new Event('pagehide'));
    assert.equal(done, 1);
  });

  it('is carried out when the user leaves the page, and never after an undo', () => {
    const done: string[] = [];
    const kept = scheduleUndoable(() => done.push('kept'), 60_000, page);
    const undone = scheduleUndoable(() => done.push('undone'), 60_000, page);
    assert.equal(undone.undo(), true);
    page.dispatchEvent(new Event('pagehide'));
    assert.deepEqual(done, ['kept']);
    kept.now();
    assert.equal(kept.undo(), false);
    assert.deepEqual(done, ['kept']);
  });
});
