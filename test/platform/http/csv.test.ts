import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CsvRecord, csvPieces, csvText, PIECE_CHARACTERS } from '#platform/http/csv.ts';

async function piecesOf(...slices: readonly (readonly CsvRecord[])[]): Promise<string[]> {
  async function* all() {
    yield* slices;
  }
  const pieces: string[] = [];
  for await (const piece of csvPieces(['text'], all())) pieces.push(piece);
  return pieces;
}

describe('the pieces of a CSV file', () => {
  it('have the records of a slice, up to a limit of characters, and at least one record each', async () => {
    const long = 'a'.repeat(PIECE_CHARACTERS);
    const half = 'b'.repeat(PIECE_CHARACTERS / 2);
    const [, ...pieces] = await piecesOf([[half], [half], [long], ['c'], ['d']], [], [['e']]);
    assert.deepEqual(
      pieces.map((piece) =>
        piece
          .trimEnd()
          .split('\r\n')
          .map((line) => `${line[0]}${line.length}`),
      ),
      [[`b${half.length}`, `b${half.length}`], [`a${long.length}`], ['c1', 'd1'], ['e1']],
    );
  });

  it('have an apostrophe before each formula that follows a separator or the start of a cell', () => {
    for (const [cell, written] of [
      ['a;=1', '"a;\'=1"'],
      ['a; \u{E0001}\u200B"=1', '"a; \u{E0001}\u200B""\'=1"'],
      ['a \u{E0001}=1', 'a \u{E0001}=1'],
      ['\u{1F600};+1;-1', '"\u{1F600};\'+1;\'-1"'],
      [' =1;b', '" \'=1;b"'],
      ['a=1', 'a=1'],
    ] as const)
      assert.equal(csvText([[cell]], false), `${written}\r\n`);
  });
});
