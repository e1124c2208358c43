import type { FastifyInstance } from 'fastify';
import { problem } from '#core/contract/problem.ts';
import type { Logo } from '#organizations/domain/logo.ts';
import { PORTAL_SLUG_PATTERN } from '#organizations/domain/portal.ts';
import type { PageRoute } from './page-limit.ts';
import { entityTag, namesTag } from '#platform/http/entity-tags.ts';
import { sendProblem } from '#platform/http/replies.ts';

/** The path of a portal's logo. SERVICE_PAGES includes it, so that the server refuses other methods. */
export const PORTAL_LOGO = '/portal/{slug}/logo';

/**
 * Headers for an uploaded image that is served from the service's own origin. If an SVG is opened directly, the browser
 * shows it as a page. The headers prevent such a page from running scripts or loading resources, and isolate it in an
 * opaque origin.
 */
const LOGO_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=300',
};

/** Serves the logos of portals, for emails and for pages of other sites. `logoOf` returns the logo for a slug. */
export function addPortalLogo(
  app: FastifyInstance,
  basePath: string,
  logoOf: (slug: string) => Promise<Logo | undefined>,
  route: PageRoute,
): void {
  const find = shareBriefly(logoOf);
  app.get(basePath + PORTAL_LOGO.replace('{slug}', ':slug'), route, async (request, reply) => {
    const { slug } = request.params as { readonly slug: string };
    const logo = PORTAL_SLUG_PATTERN.test(slug) ? await find(slug) : undefined;
    if (logo === undefined) return sendProblem(reply, problem('not-found'));
    const tag = entityTag(logo.bytes);
    reply.headers({ ...LOGO_HEADERS, 'content-type': logo.type, etag: tag });
    return namesTag(request.headers['if-none-match'] ?? '', tag) ? reply.code(304).send() : reply.send(logo.bytes);
  });
}

/**
 * How long responses share a logo, in milliseconds. After that, the logo is read again, because it may have changed.
 */
const SHARED_MS = 1_000;
/** The maximum number of slugs whose logos are shared. Beyond this number, all logos are read again. */
const SHARED_SLUGS = 100;

/**
 * Returns a function that reads logos with `logoOf` and shares each logo for SHARED_MS. The responses in that time
 * share one copy in memory, even if their clients read slowly.
 */
function shareBriefly(logoOf: (slug: string) => Promise<Logo | undefined>): typeof logoOf {
  const shared = new Map<string, { readonly logo: Promise<Logo | undefined>; readonly readAt: number }>();
  return (slug) => {
    const now = performance.now();
    const known = shared.get(slug);
    if (known !== undefined && now - known.readAt < SHARED_MS) return known.logo;
    if (shared.size >= SHARED_SLUGS) shared.clear();
    const logo = logoOf(slug);
    shared.set(slug, { logo, readAt: now });
    // A portal without a logo is read again, so that its first logo is visible at once.
    const forget = (): void => {
      if (shared.get(slug)?.logo === logo) shared.delete(slug);
    };
    logo.then((found) => found ?? forget(), forget);
    return logo;
  };
}
