import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parameterColumns } from '#platform/postgres/parameter-columns.ts';

type Mug = { readonly id: number; readonly color: string | null };

const mugs = parameterColumns<Mug>(2, { mug_id: ['bigint', ({ id }) => id], color: ['text', ({ color }) => color] });

describe('parameterColumns: the parameters of a statement, one for each column', () => {
  it('numbers its parameters from the given number on', () => {
    assert.equal(mugs.parameters, '$2::bigint, $3::text');
    assert.equal(mugs.names, 'mug_id, color');
    assert.equal(mugs.next, 4);
    assert.equal(mugs.unnest('m'), 'unnest($2::bigint[], $3::text[]) as m (mug_id, color)');
  });

  it('returns the values in the order of the columns', () => {
    assert.deepEqual(mugs.valuesOf({ id: 7, color: null }), [7, null]);
    assert.deepEqual(
      mugs.arraysOf([
        { id: 7, color: null },
        { id: 8, color: 'red' },
      ]),
      [
        [7, 8],
        [null, 'red'],
      ],
    );
  });
});
