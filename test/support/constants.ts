import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

const SOURCES = join(import.meta.dirname, '..', '..', 'src');

/**
 * A top-level constant in a file of `src/`. `value` is set if the expression is simple, such as `5 * 60` or an
 * object of numbers, and otherwise undefined.
 */
export type Constant = { readonly file: string; readonly name: string; readonly value: unknown };

/**
 * Returns the upper-case constants of all source files. Most are not exported, so the values are read from the text.
 */
export function constantsOfSource(): readonly Constant[] {
  return globSync('**/*.ts', { cwd: SOURCES }).flatMap(constantsOf);
}

function constantsOf(file: string): Constant[] {
  const plain = stripTypeScriptTypes(readFileSync(join(SOURCES, file), 'utf8'));
  const known: Record<string, unknown> = {};
  return [...plain.matchAll(CONSTANT)].map(([, name = '', text = '']) => {
    const value = valueOf(text, known);
    if (value !== undefined) known[name] = value;
    return { file, name, value };
  });
}

const CONSTANT = /^(?:export )?const ([A-Z][A-Z\d_]*)\s*=([\s\S]*?);$/gm;

/** Evaluates an expression over known constants. Returns undefined if it needs anything else. */
export function valueOf(text: string, known: Readonly<Record<string, unknown>>): unknown {
  try {
    return runInNewContext(`(${text})`, { ...known }) as unknown;
  } catch {
    return undefined;
  }
}
