import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

const SOURCES = join(import.meta.dirname, '..', '..', 'src');

/** A constant at the top of a file of `src/`; its value where that is plain, such as `5 * 60` or an object of numbers. */
export type Constant = { readonly file: string; readonly name: string; readonly value: unknown };

/** Those of all files, named in capitals. They are read from the text: most are nobody's business outside of their file. */
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

/** What an expression over constants comes to; undefined where it takes more than those. */
export function valueOf(text: string, known: Readonly<Record<string, unknown>>): unknown {
  try {
    return runInNewContext(`(${text})`, { ...known }) as unknown;
  } catch {
    return undefined;
  }
}
