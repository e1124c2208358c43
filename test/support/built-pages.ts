import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const BUILD = join(import.meta.dirname, '..', '..', 'scripts', 'build.mjs');

/** Builds the console and the portal if their sources have changed, for tests that run without `npm test`. */
export async function buildPages(): Promise<void> {
  await promisify(execFile)(process.execPath, [BUILD, 'console', 'portal']);
}
