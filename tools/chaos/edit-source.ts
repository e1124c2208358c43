// Edits the source files of the service as they are loaded. `--import` loads this module into a process before
// everything else.
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The replacement of every occurrence of `instead` in a source file with `put`. The path is relative to the
 * repository's root.
 */
export type Edit = { readonly file: string; readonly instead: string; readonly put: string };

/** The environment variable with the edits. Without it, nothing is edited. */
export const EDITS = 'CHAOS_EDITS';

const root = join(import.meta.dirname, '..', '..');
const edits = Map.groupBy(
  JSON.parse(process.env[EDITS] ?? '[]') as Edit[],
  ({ file }) => pathToFileURL(join(root, file)).href,
);

if (edits.size > 0)
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const due = edits.get(url);
      if (due === undefined) return loaded;
      const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
      return { ...loaded, source: due.reduce(applyEdit, text) };
    },
  });

function applyEdit(text: string, { file, instead, put }: Edit): string {
  if (!text.includes(instead))
    throw new Error(`${file} no longer contains the text to replace. Update CONTROLS. The text is: ${instead}`);
  return text.replaceAll(instead, put);
}
