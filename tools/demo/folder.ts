import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DemoKeys } from './stage.ts';
import { attachEmbedded } from '#platform/postgres/embedded/embedded.ts';

/**
 * The name of the file that marks a folder as the demo's. Once the folder is filled, the file contains the API keys.
 */
const MARK = 'demo.json';

/** An error that ends the demo. Its message is for the person who started the demo. */
export class DemoRefused extends Error {
  override readonly name = 'DemoRefused';
}

/**
 * Prepares the folder. Returns the keys if it is already filled. Returns undefined if it is ready for a new fill: it
 * was new, an unfinished fill was removed, or `isAnew` removed the old data. Throws DemoRefused, and changes nothing,
 * if the folder contains other files, or if a demo whose data would be removed is still running.
 */
export async function prepareFolder(folder: string, isAnew: boolean): Promise<DemoKeys | undefined> {
  const mark = await readMark(folder);
  if (mark === undefined && existsSync(folder) && (await readdir(folder)).length > 0) {
    throw new DemoRefused(`${folder} contains files that are not the demo’s. Choose another folder with --data-dir.`);
  }
  if (mark?.keys !== undefined && !isAnew) return mark.keys;
  if ((await attachEmbedded(folder)) !== undefined) {
    throw new DemoRefused(`A demo is already running in ${folder}. Stop it first.`);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  await mkdir(folder, { recursive: true, mode: 0o711 });
  await writeFile(join(folder, MARK), '{}\n', { mode: 0o600 });
  return undefined;
}

/** Marks the folder as filled, so that later starts reuse it. */
export async function markFilled(folder: string, keys: DemoKeys): Promise<void> {
  await writeFile(join(folder, MARK), `${JSON.stringify({ keys })}\n`, { mode: 0o600, flush: true });
}

async function readMark(folder: string): Promise<{ readonly keys?: DemoKeys } | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, MARK), 'utf8')) as { keys?: DemoKeys };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
