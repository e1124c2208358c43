import { readFileSync } from 'node:fs';

/** The text of the file; undefined when it, or the process that a file of /proc is about, is gone. */
export function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
