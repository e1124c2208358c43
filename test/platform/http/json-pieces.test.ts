import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonText } from '#core/contract/json-text.ts';
import { jsonPieces } from '#platform/http/json-pieces.ts';

async function piecesOf(value: unknown): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of jsonPieces(value)) pieces.push(piece);
  return pieces;
}

async function* slices(...all: readonly (readonly unknown[])[]): AsyncGenerator<readonly unknown[]> {
  yield* all;
}

describe('JSON written in pieces', () => {
  const items = Array.from({ length: 2_000 }, (_, n) => ({ id: n, amount: BigInt(n), name: '“Mug”\n'.repeat(5) }));

  it('equals the same JSON written at once', async () => {
    for (const value of [
      null,
      [],
      {},
      'text',
      [undefined, 1n, new Date(0)],
      items,
      { items, none: undefined, at: new Date(0), inner: [{ items }, { items: [] }] },
    ]) {
      assert.equal((await piecesOf(value)).join(''), jsonText(value));
    }
  });

  it('the pieces of JSON have a bounded size, regardless of the length of the list', async () => {
    const pieces = await piecesOf({ list: items });
    assert.ok(pieces.length > 3);
    assert.ok(pieces.every((piece) => piece.length < 70_000));
  });

  it('a generator of slices is written as one list, and an async function as the value that it resolves to', async () => {
    const value = {
      all: slices([1, 2], [], [3]),
      none: slices(),
      later: [async () => ({ inner: slices([{ a: 1n }]) })],
    };
    assert.equal((await piecesOf(value)).join(''), '{"all":[1,2,3],"none":[],"later":[{"inner":[{"a":1}]}]}');
  });
});
