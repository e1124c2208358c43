import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { it } from 'node:test';
// Use the compiler of the SDK generator, because the project's own compiler has no API for syntax trees.
import ts from '../../packages/sdk/node_modules/typescript/lib/typescript.js';

const ROOT = join(import.meta.dirname, '..', '..');

/** The JSX attributes that contain text for people. */
const READ = new Set([
  'alt',
  'title',
  'label',
  'placeholder',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'description',
  'help',
]);

it('every text of a page is in a text file, so that it can be translated', () => {
  const files = ['web/ui', 'web/console', 'web/portal'].flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.tsx'))
      .map((path) => join(ROOT, room, path)),
  );
  assert.ok(files.length > 20);
  assert.deepEqual(files.flatMap(wordsIn), []);
});

/** Returns each literal text that people can read in a file's JSX, with its file and line. URLs are excluded. */
function wordsIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    // Exclude URLs, because they are the same in every language.
    if (isShown(node) && /\p{L}{2}/u.test(node.text) && !/^https?:\/\/\S+$/.test(node.text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${relative(ROOT, file)}:${line + 1} ${node.text.trim()}`);
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

function isShown(node: ts.Node): node is ts.LiteralLikeNode {
  if (ts.isJsxText(node)) return true;
  if (!ts.isStringLiteralLike(node)) return false;
  const within = ts.isJsxExpression(node.parent) ? node.parent.parent : node.parent;
  if (ts.isJsxAttribute(within)) return READ.has(within.name.getText());
  return ts.isJsxExpression(node.parent);
}
