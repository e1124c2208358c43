import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { problem } from '#core/contract/problem.ts';
import { sendProblem } from '#platform/http/replies.ts';
import { addStaticText, type Forms, formsOf, makeOnce, sendForm } from '#platform/http/static-text.ts';
import { guidePage } from './guide-layout.ts';
import { loadGuides } from './guide-files.ts';

/** The paths of the guides. `{page}` and `{name}` also match images, and files such as guides.css. */
export const GUIDE_PATHS = ['/docs/guides', '/docs/guides/{page}', '/docs/guides/{folder}/{name}'];

const DOCS = new URL('../../../../docs/', import.meta.url);
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};
const ASSETS = [
  { name: 'guides.css', contentType: 'text/css; charset=utf-8' },
  { name: 'guides.js', contentType: 'text/javascript; charset=utf-8' },
] as const;

/**
 * Serves the user documentation in docs/ as pages with navigation and search. The files are read and converted at the
 * first request. If there is no docs folder, the paths of the guides return 404.
 */
export function addGuides(app: FastifyInstance, basePath: string): void {
  if (!existsSync(new URL('README.md', DOCS))) return;
  const root = `${basePath}/docs/guides`;
  const served = new Map<string, Forms>();
  const guides = makeOnce(() => loadGuides(DOCS, basePath));

  for (const { name, contentType } of ASSETS) {
    const file = new URL(name, import.meta.url);
    addStaticText(app, `${root}/${name}`, { contentType, make: () => readFile(file, 'utf8') });
  }
  addStaticText(app, `${root}/search.json`, {
    contentType: 'application/json',
    make: async () => JSON.stringify((await guides()).sections),
  });

  app.get(root, async (request, reply) => sendForm(request, reply, await formsOfPage(''), PAGE));
  for (const route of [`${root}/:page`, `${root}/:folder/:name`]) {
    app.get(route, async (request, reply) => {
      const { page, folder, name } = request.params as { page?: string; folder?: string; name?: string };
      if (folder === 'images') {
        const image = (await guides()).images.get(name ?? '');
        if (image === undefined) return sendProblem(reply, problem('not-found'));
        return reply
          .type('image/webp')
          .header('cache-control', 'public, max-age=3600')
          .send(await readFile(image));
      }
      const path = page ?? `${folder}/${name}`;
      if (!(await guides()).pages.has(path)) return sendProblem(reply, problem('not-found'));
      return sendForm(request, reply, await formsOfPage(path), PAGE);
    });
  }

  /** Returns the page in its compressed forms, which are cached. `path` is empty for the index. */
  async function formsOfPage(path: string): Promise<Forms> {
    const all = await guides();
    const known = served.get(path);
    if (known !== undefined) return known;
    const forms = formsOf(() => guidePage(all, path, root, basePath));
    served.set(path, forms);
    return forms;
  }
}

const PAGE = { contentType: 'text/html; charset=utf-8', headers: PAGE_HEADERS };
