import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** What a page shows of a tested example. */
export type Example = { readonly name: string; readonly code: string };

/**
 * The bodies of the examples in a folder, by name. An example is a method of an exported object: its name is the
 * operation's id, and what it destructures of its parameter is what the reader is taken to have.
 */
export function examplesIn(folder: string): Map<string, Example> {
  const found = new Map<string, Example>();
  for (const file of globSync('*.ts', { cwd: folder }).toSorted()) {
    for (const example of examplesOf(join(folder, file))) {
      if (found.has(example.name)) throw new Error(`There are two examples called ${example.name}.`);
      found.set(example.name, example);
    }
  }
  return found;
}

function examplesOf(file: string): Example[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Example[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isMethodDeclaration(node) && node.body !== undefined) {
      found.push({ name: node.name.getText(source), code: bodyOf(node.body, source) });
    } else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Without the braces and the indentation. */
function bodyOf(block: ts.Block, source: ts.SourceFile): string {
  const lines = block.getText(source).slice(1, -1).replace(/^\n/, '').trimEnd().split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents);
  return lines.map((line) => line.slice(indent)).join('\n');
}
