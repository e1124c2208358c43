import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type PageRoute, pageRefusal } from './page-limit.ts';
import { problem } from '#core/contract/problem.ts';
import { PORTAL_SLUG_PATTERN } from '#organizations/domain/portal.ts';
import { entityTag, namesTag } from '#platform/http/entity-tags.ts';
import type { CountRequest } from '#platform/http/rate-limits.ts';
import { sendProblem } from '#platform/http/replies.ts';
import { type Forms, formsOf, sendForm } from '#platform/http/static-text.ts';

export type WebPages = {
  /**
   * Returns the origins whose pages may frame the portal with the given slug, or undefined if there is no such portal.
   * If absent, there are no portals.
   */
  readonly embedOriginsOf?: (slug: string) => Promise<readonly string[] | undefined>;
  readonly headerPrefix: string;
  readonly version?: string | undefined;
  /** Whether emails are sent to a mail server instead of standard output. */
  readonly sendsMail?: boolean;
  /** The options of the portal's routes, whose requests query the database. */
  readonly route?: PageRoute;
};

/** The options of the console's routes, whose requests don't query the database. */
const UNLIMITED: PageRoute = { onRequest: [] };

/** The paths of the console and the portals. SERVICE_PAGES includes them, so that the server refuses other methods. */
export const WEB_PAGES = ['/console', '/console/', '/console/assets/{name}', '/portal/{slug}', '/portal/{slug}/'];

/**
 * Serves the two browser applications: the console, and the portals, which are found by slug. All paths of an
 * application, except its assets, return the same HTML, whose script shows the page for the path. If the applications
 * were not built, as in a checkout before `npm start`, their paths return 404.
 */
export function addWebPages(app: FastifyInstance, basePath: string, options: WebPages): void {
  const { headerPrefix, version, sendsMail } = options;
  const people = builtAt('console');
  if (people !== undefined) {
    const root = `${basePath}/console`;
    addPages(app, root, people, UNLIMITED, async (request, reply) =>
      sendPage(request, reply, people, { root, base: basePath, headerPrefix, version, sendsMail, embedOrigins: [] }),
    );
    addEntrance(app, basePath);
  }
  const portal = builtAt('portal');
  if (portal !== undefined && options.embedOriginsOf !== undefined) {
    const { embedOriginsOf } = options;
    addPages(app, `${basePath}/portal/:slug`, portal, options.route ?? UNLIMITED, async (request, reply) => {
      const { slug } = request.params as { readonly slug: string };
      const embedOrigins = PORTAL_SLUG_PATTERN.test(slug) ? await embedOriginsOf(slug) : undefined;
      // Send the page with status 404. The page itself reports that the portal doesn't exist.
      if (embedOrigins === undefined) reply.code(404);
      const root = `${basePath}/portal/${encodeURIComponent(slug)}`;
      return sendPage(request, reply, portal, {
        root,
        base: basePath,
        slug,
        headerPrefix,
        sendsMail,
        embedOrigins: embedOrigins ?? [],
      });
    });
  }
}

/** Answers a request to a portal's own domain with a page or an asset. `slug` is null while the portal is closed. */
export type SendPortal = (request: FastifyRequest, reply: FastifyReply, slug: string | null) => Promise<FastifyReply>;

/**
 * Returns the function that serves portals on their own domains, where the portal is at the root. The portal's API is
 * below `basePath`. Requests for pages are limited for each network.
 */
export function portalAtRoot(
  basePath: string,
  { headerPrefix, sendsMail, embedOriginsOf }: WebPages,
  countRequest: CountRequest,
): SendPortal {
  const portal = builtAt('portal');
  return async (request, reply, slug) => {
    if (portal === undefined) return sendProblem(reply, answerNotFound());
    const [path = ''] = request.url.split('?', 1);
    if (path.startsWith(ASSETS)) return sendAsset(request, reply, portal, path.slice(ASSETS.length));
    const refusal = pageRefusal(countRequest, request);
    if (refusal !== undefined) return sendProblem(reply, refusal);
    const embedOrigins = slug === null ? undefined : await embedOriginsOf?.(slug);
    if (embedOrigins === undefined) reply.code(404);
    const place = { root: '', base: basePath, slug: slug ?? '', headerPrefix, sendsMail };
    return sendPage(request, reply, portal, { ...place, embedOrigins: embedOrigins ?? [] });
  };
}

const ASSETS = '/assets/';

type Application = { readonly folder: URL; readonly assets: Map<string, Forms> };

function builtAt(name: string): Application | undefined {
  const folder = new URL(`../../../web/${name}/dist/`, import.meta.url);
  return existsSync(new URL('index.html', folder)) ? { folder, assets: new Map() } : undefined;
}

type AnswerPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function addPages(
  app: FastifyInstance,
  root: string,
  application: Application,
  route: PageRoute,
  answer: AnswerPage,
): void {
  app.get(root, route, answer);
  app.get(`${root}/*`, route, answer);
  app.get(`${root}/assets/:name`, async (request, reply) =>
    sendAsset(request, reply, application, (request.params as { readonly name: string }).name),
  );
}

/** Redirects browsers from the root path to the console. Other clients get a 404. */
function addEntrance(app: FastifyInstance, basePath: string): void {
  const lead: AnswerPage = async (request, reply) => {
    reply.header('vary', 'Accept');
    if (!(request.headers.accept ?? '').includes('text/html')) return sendProblem(reply, answerNotFound());
    return reply.redirect(`${basePath}/console/`, 302);
  };
  app.get(`${basePath}/`, lead);
  if (basePath !== '') app.get(basePath, lead);
}

type Place = {
  readonly root: string;
  readonly base: string;
  /** The slug of the portal. Absent for the console. */
  readonly slug?: string;
  readonly headerPrefix: string;
  /** The version of Whence, which only the console shows. */
  readonly version?: string | undefined;
  readonly sendsMail?: boolean | undefined;
  readonly embedOrigins: readonly string[];
};

/**
 * Sends the page. Its file, about a kilobyte, is read for each request, so that a reload shows the result of the latest
 * `npm run build`.
 */
async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { folder }: Application,
  { root, base, slug, headerPrefix, version, sendsMail = false, embedOrigins }: Place,
): Promise<FastifyReply> {
  const place = {
    base,
    root,
    'header-prefix': headerPrefix,
    ...(slug === undefined ? {} : { slug }),
    ...(version === undefined ? {} : { version }),
    ...(sendsMail ? { 'sends-mail': 'true' } : {}),
  };
  const attributes = Object.entries(place).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`);
  const html = (await readFile(new URL('index.html', folder), 'utf8'))
    .replace('{place}', () => attributes.join(''))
    .replaceAll('{root}', () => escapeHtml(root));
  const tag = entityTag(html);
  reply.headers({
    ...PAGE_HEADERS,
    'content-security-policy': policyFor(embedOrigins),
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    etag: tag,
  });
  if (reply.statusCode === 200 && namesTag(request.headers['if-none-match'] ?? '', tag)) return reply.code(304).send();
  return reply.send(html);
}

/**
 * Returns the content security policy of a page. It forbids resources from other hosts, inline scripts or styles, and
 * form submissions. Pages fetch their data from this service.
 */
function policyFor(embedOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${embedOrigins.length === 0 ? "'none'" : embedOrigins.join(' ')}`,
  ].join('; ');
}

/**
 * Headers that hide page addresses from other sites, and prevent other sites from keeping a reference to a window of
 * this service.
 */
const PAGE_HEADERS = {
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
};

const ASSET_NAME = /^[\w-]+\.(js|css|woff2)$/;
const ASSET_TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', woff2: 'font/woff2' };
/** Assets can be cached forever, because their names contain a hash of the content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  application: Application,
  name: string,
): Promise<FastifyReply> {
  const [, kind] = ASSET_NAME.exec(name) ?? [];
  const forms = kind === undefined ? undefined : assetOf(application, name);
  if (forms === undefined) return sendProblem(reply, answerNotFound());
  return sendForm(request, reply, forms, {
    contentType: ASSET_TYPES[kind as keyof typeof ASSET_TYPES],
    cacheControl: FOR_EVER,
    headers: { 'cross-origin-resource-policy': 'same-origin' },
    isCompressed: kind === 'woff2',
  });
}

/**
 * Returns the asset with the given name, or undefined if there is none. Its compressed forms are cached after the first
 * request.
 */
function assetOf({ folder, assets }: Application, name: string): Forms | undefined {
  const known = assets.get(name);
  if (known !== undefined) return known;
  const file = new URL(`assets/${name}`, folder);
  if (!existsSync(file)) return undefined;
  const forms = formsOf(() => readFile(file));
  assets.set(name, forms);
  return forms;
}

function answerNotFound() {
  return problem('not-found', 'No resource has this path. Check the path.');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
