import type { FastifyInstance } from 'fastify';
import { llmsText } from '#contract/llms-text.ts';
import type { OpenapiDocument } from '#contract/openapi.ts';
import { problem } from '#contract/problem.ts';
import type { Logo } from '#domain/logo.ts';
import { addReferencePage, REFERENCE_PAGES } from './reference-page.ts';
import { addPortalLogo, PORTAL_LOGO } from './portal-logo.ts';
import { refuse, RETRY_AFTER_S, sendJson } from './replies.ts';
import { addSnippet, SNIPPET_PATHS } from './snippet.ts';
import { addStaticText } from './static-text.ts';
import { addWebPages, WEB_PAGES, type WebPages } from './web-pages.ts';

export type ServicePages = {
  /** What must be true before requests are sent here, each by name. */
  readonly readiness: () => Promise<Readonly<Record<string, boolean>>>;
  /** The metrics in Prometheus' text format. */
  readonly metrics: { readonly contentType: string; readonly metrics: () => Promise<string> };
  /** The document of this process: its header prefix, its base path. Made when it is first asked for. */
  readonly openapi: () => OpenapiDocument;
  readonly headerPrefix?: string;
  /** Absent: no console and no portals, as in a process that answers no calls. */
  readonly webPages?: Omit<WebPages, 'headerPrefix'>;
  /** The picture of the portal under a slug. Absent: no portals. */
  readonly portalLogo?: (slug: string) => Promise<Logo | undefined>;
};

/** What the service says of itself, to anybody, without a key. */
export const SERVICE_PAGES = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/llms.txt',
  ...REFERENCE_PAGES,
  ...SNIPPET_PATHS,
  ...WEB_PAGES,
  PORTAL_LOGO,
];

export function addServicePages(
  app: FastifyInstance,
  basePath: string,
  { readiness, metrics, openapi, headerPrefix, webPages, portalLogo }: ServicePages,
): void {
  app.get(`${basePath}/healthz`, async (_request, reply) => sendJson(reply, 'application/json', { status: 'alive' }));
  app.get(`${basePath}/readyz`, async (_request, reply) => {
    const checks = await readiness();
    if (Object.values(checks).every(Boolean)) return sendJson(reply, 'application/json', { status: 'ready', checks });
    const headers = { 'retry-after': String(RETRY_AFTER_S) };
    return refuse(reply, problem('unavailable', 'The service is not ready.', { headers, members: { checks } }));
  });
  app.get(`${basePath}/metrics`, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.metrics()),
  );
  addStaticText(app, `${basePath}/openapi.json`, {
    contentType: 'application/json',
    make: () => JSON.stringify(openapi(), null, 2),
  });
  addStaticText(app, `${basePath}/llms.txt`, {
    contentType: 'text/plain; charset=utf-8',
    make: () => llmsText(openapi(), basePath),
  });
  addReferencePage(app, basePath);
  addSnippet(app, basePath, headerPrefix);
  if (portalLogo !== undefined) addPortalLogo(app, basePath, portalLogo);
  if (webPages !== undefined) {
    addWebPages(app, basePath, { ...webPages, ...(headerPrefix !== undefined && { headerPrefix }) });
  }
}
