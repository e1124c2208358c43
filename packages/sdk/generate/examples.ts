import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A tested example, with the code that the documentation shows. */
export type Example = { readonly name: string; readonly code: string };

/** A pattern for the methods of an exported object, as the formatter writes them. */
const METHOD = /^ {2}(?:async )?(?<name>\w+)\([^)]*\)[^{]*\{\n(?<body>[^]*?)\n {2}\},$/gm;

/**
 * Returns the examples in a folder, each under its name. An example is a method of an exported object, and its name is
 * the operation id. Its destructured parameters are values that the reader is assumed to have. Throws an error if two
 * examples have the same name.
 */
export function examplesIn(folder: string): Map<string, Example> {
  const found = new Map<string, Example>();
  for (const file of globSync('*.ts', { cwd: folder }).toSorted()) {
    for (const { groups } of readFileSync(join(folder, file), 'utf8').matchAll(METHOD)) {
      const { name = '', body = '' } = groups ?? {};
      if (found.has(name)) throw new Error(`There are two examples named ${name}. Rename or remove one of them.`);
      found.set(name, { name, code: body.replaceAll(/^ {4}/gm, '') });
    }
  }
  return found;
}
