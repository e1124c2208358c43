import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { addStaticText } from '#platform/http/static-text.ts';

/** The paths of the browser snippet: the file for a script tag, and the module. */
export const SNIPPET_PATHS = ['/whence.js', '/whence.mjs'];

const BUILT = new URL('../../../packages/browser/dist/', import.meta.url);
const WRITTEN_PREFIX = 'X-Service';

/** Caches the file for an hour. After that, the cached file is used while a new file is fetched. */
const CACHED = 'public, max-age=3600, stale-while-revalidate=604800';

/** Modules are fetched with CORS, and some pages load only resources that are declared as cross-origin. */
const FOR_EVERY_SITE = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };

/**
 * Serves the browser snippet (packages/browser) to pages of every site, with this service's header prefix inserted. If
 * the snippet was not built, as in a checkout before `npm start`, its paths return 404.
 */
export function addSnippet(app: FastifyInstance, basePath: string, headerPrefix: string): void {
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
