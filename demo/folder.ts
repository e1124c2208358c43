import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DemoKeys } from './stage.ts';
import { attachEmbedded } from '#store/embedded.ts';

/** Says of a folder that it is the demo’s, and once it is filled by which keys it can be asked. */
const MARK = 'demo.json';

/** What cannot go on, in words for whoever started the demo. */
export class DemoRefused extends Error {
  override readonly name = 'DemoRefused';
}

/**
 * Makes the folder ready: answers the keys where it is filled already, and undefined where it is empty now, for which what
 * was left of an unfinished start is removed, and of any where it is to be made anew. A folder that is not the demo’s is
 * never touched.
 */
export async function prepareFolder(folder: string, isAnew: boolean): Promise<DemoKeys | undefined> {
  const mark = await readMark(folder);
  if (mark === undefined && existsSync(folder) && (await readdir(folder)).length > 0) {
    throw new DemoRefused(`${folder} holds something else than the demo: it is left alone.`);
  }
  if (mark?.keys !== undefined && !isAnew) return mark.keys;
  if ((await attachEmbedded(folder)) !== undefined) {
    throw new DemoRefused(`The demo runs in ${folder}: end it first.`);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  await mkdir(folder, { recursive: true, mode: 0o711 });
  await writeFile(join(folder, MARK), '{}\n', { mode: 0o600 });
  return undefined;
}

/** From now on the folder is used as it is. */
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
