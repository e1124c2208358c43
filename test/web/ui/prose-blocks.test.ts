import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blocksOf } from '#web/ui/controls/prose-blocks.ts';

const wordsOf = (text: string) =>
  blocksOf(text).map(({ kind, lines }) => ({ kind, lines: lines.map(({ words }) => words) }));

describe('a text of the merchant', () => {
  it('is shown with headings, lists and paragraphs', () => {
    assert.deepEqual(wordsOf('# One\nFirst line\nsecond line\r\n\nNext\n- a\n-b\n - c\n## Two\n# Three'), [
      { kind: 'heading', lines: ['One'] },
      { kind: 'paragraph', lines: ['First line', 'second line'] },
      { kind: 'paragraph', lines: ['Next'] },
      { kind: 'list', lines: ['a'] },
      { kind: 'paragraph', lines: ['-b'] },
      { kind: 'list', lines: ['c'] },
      { kind: 'heading', lines: ['Two'] },
      { kind: 'heading', lines: ['Three'] },
    ]);
  });

  it('has HTML, emphasis and links shown as plain text', () => {
    assert.deepEqual(wordsOf('<b>bold</b> *no* [link](https://x.example)'), [
      { kind: 'paragraph', lines: ['<b>bold</b> *no* [link](https://x.example)'] },
    ]);
    assert.deepEqual(wordsOf(' \n\n'), []);
  });
});
