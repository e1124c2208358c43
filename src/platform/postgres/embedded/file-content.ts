import { readFileSync } from 'node:fs';

/**
 * Returns the text of a file. Returns undefined if the file doesn't exist, or is a file of /proc whose process has
 * ended.
 */
export function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
