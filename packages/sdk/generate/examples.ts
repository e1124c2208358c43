import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A tested example as a page shows it. */
export type Example = { readonly name: string; readonly code: string };

/**
 * Returns the bodies of the examples in a folder, by name. An example is a method of an exported object. Its name is
 * the operation id. Its destructured parameters are values that the reader is assumed to have.
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

/** Returns the body without braces and indentation. */
function bodyOf(block: ts.Block, source: ts.SourceFile): string {
  const lines = block.getText(source).slice(1, -1).replace(/^\n/, '').trimEnd().split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents);
  return lines.map((line) => line.slice(indent)).join('\n');
}
