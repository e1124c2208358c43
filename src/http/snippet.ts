import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { addStaticText } from './static-text.ts';

/** Where the browser’s part is: the file for a script tag, and the module. */
export const SNIPPET_PATHS = ['/whence.js', '/whence.mjs'];

const BUILT = new URL('../../packages/browser/dist/', import.meta.url);
const WRITTEN_PREFIX = 'X-Service';

/** An hour without asking; afterwards the old one serves while the new one is fetched. */
const CACHED = 'public, max-age=3600, stale-while-revalidate=604800';

/** A module is asked for with CORS, and some pages let in only what says that it may be let in. */
const FOR_EVERY_SITE = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };

/**
 * Serves the browser’s part (packages/browser) to pages of every site, with this service’s prefix of headers written in.
 * Where it was not built, as in a checkout without `npm start`, there is nothing at these paths.
 */
export function addSnippet(app: FastifyInstance, basePath: string, headerPrefix = WRITTEN_PREFIX): void {
  for (const path of SNIPPET_PATHS) {
    const file = new URL(`.${path}`, BUILT);
    if (!existsSync(file)) continue;
    addStaticText(app, basePath + path, {
      contentType: 'text/javascript; charset=utf-8',
      cacheControl: CACHED,
      headers: FOR_EVERY_SITE,
      make: async () => (await readFile(file, 'utf8')).replaceAll(WRITTEN_PREFIX, headerPrefix),
    });
  }
}
