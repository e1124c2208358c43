import type { FastifyInstance } from 'fastify';
import { llmsText } from './llms-text.ts';
import type { OpenapiDocument } from '../openapi/openapi.ts';
import { problem } from '#core/contract/problem.ts';
import type { Logo } from '#organizations/domain/logo.ts';
import { addGuides, GUIDE_PATHS } from './guides/guides.ts';
import { addReferencePage, REFERENCE_PAGES } from './reference-page.ts';
import { addPlugin, PLUGIN_PATH } from './plugin.ts';
import { addMaterialFiles, MATERIAL_FILE, type MaterialFiles } from './material-files.ts';
import { limitedRoute } from './page-limit.ts';
import type { TakePlace } from '#platform/http/places.ts';
import type { CountRequest } from '#platform/http/rate-limits.ts';
import { addPortalLogo, PORTAL_LOGO } from './portal-logo.ts';
import { sendProblem, RETRY_AFTER_S, sendJson } from '#platform/http/replies.ts';
import { addSnippet, SNIPPET_PATHS } from './snippet.ts';
import { DEFAULT_PREFIXES, type Pages } from '#platform/http/server.ts';
import { addUnsubscribePage, UNSUBSCRIBE_PATH, type UnsubscribeActions } from './unsubscribe.ts';
import { addConfirmationPage, CONFIRM_ADDRESS_PATH, type ConfirmationActions } from './confirm-address.ts';
import { addStaticText } from '#platform/http/static-text.ts';
import { addWebPages, WEB_PAGES, type WebPages } from './web-pages.ts';

export type ServicePages = {
  /** The version of Whence, such as `0.3.0`. If absent, the pages show no version. */
  readonly version?: string;
  /** Returns the named checks that must pass before this process receives requests. */
  readonly readiness: () => Promise<Readonly<Record<string, boolean>>>;
  /** The metrics in Prometheus' text format. */
  readonly metrics: { readonly contentType: string; readonly metrics: () => Promise<string> };
  /**
   * Returns the OpenAPI document with the header prefix and base path of this process. Called at the first request for
   * each of /openapi.json and /llms.txt.
   */
  readonly openapi: () => OpenapiDocument;
  /** The prefixes of the service's own headers. The pages use the first prefix. The default is `X-Service`. */
  readonly headerPrefixes?: readonly [string, ...string[]];
  /** The console and the portals. Absent in a process that doesn't serve calls. */
  readonly webPages?: Omit<WebPages, 'headerPrefix' | 'version' | 'route'>;
  /** Returns the logo of the portal with the given slug. If absent, there are no portals. */
  readonly portalLogo?: (slug: string) => Promise<Logo | undefined>;
  /** The functions that read the files of materials. If absent, the paths of files return 404. */
  readonly materialFiles?: MaterialFiles;
  /** The functions for the unsubscribe links in emails. If absent, these links return 404. */
  readonly unsubscribing?: UnsubscribeActions;
  /** The functions for the links that confirm an address. If absent, these links return 404. */
  readonly confirming?: ConfirmationActions;
  /** Limits the requests for pages that query the database. If absent, these requests are not limited. */
  readonly countRequest?: CountRequest;
  /** Limits the concurrent changes behind links in emails. If absent, these changes are not limited. */
  readonly takePlace?: TakePlace;
};

/** The paths of the service's own pages, which need no key. */
export const SERVICE_PAGES = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/llms.txt',
  ...REFERENCE_PAGES,
  ...GUIDE_PATHS,
  ...SNIPPET_PATHS,
  PLUGIN_PATH,
  ...WEB_PAGES,
  PORTAL_LOGO,
  MATERIAL_FILE,
  UNSUBSCRIBE_PATH,
  CONFIRM_ADDRESS_PATH,
];

/** Returns the service's own pages, which need no key. */
export function servicePages(options: ServicePages): Pages {
  return { paths: SERVICE_PAGES, add: (app, basePath) => addPages(app, basePath, options) };
}

function addPages(
  app: FastifyInstance,
  basePath: string,
  {
    version,
    readiness,
    metrics,
    openapi,
    headerPrefixes = DEFAULT_PREFIXES,
    webPages,
    portalLogo,
    materialFiles,
    unsubscribing,
    confirming,
    countRequest,
    takePlace,
  }: ServicePages,
): void {
  app.get(`${basePath}/healthz`, async (_request, reply) => sendJson(reply, 'application/json', { status: 'alive' }));
  app.get(`${basePath}/readyz`, async (_request, reply) => {
    const checks = await readiness();
    if (Object.values(checks).every(Boolean))
      return sendJson(reply, 'application/json', { status: 'ready', version, checks });
    const headers = { 'retry-after': String(RETRY_AFTER_S) };
    return sendProblem(
      reply,
      problem('unavailable', 'The service is not ready. Retry after the number of seconds in Retry-After.', {
        headers,
        members: { version, checks },
      }),
    );
  });
  app.get(`${basePath}/metrics`, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.metrics()),
  );
  addStaticText(app, `${basePath}/openapi.json`, {
    contentType: 'application/json',
    make: () => JSON.stringify(openapi()),
  });
  addStaticText(app, `${basePath}/llms.txt`, {
    contentType: 'text/plain; charset=utf-8',
    make: () => llmsText(openapi(), basePath),
  });
  addReferencePage(app, basePath);
  addGuides(app, basePath);
  addSnippet(app, basePath, headerPrefixes[0]);
  addPlugin(app, basePath);
  const route = limitedRoute(countRequest);
  if (portalLogo !== undefined) addPortalLogo(app, basePath, portalLogo, route);
  if (materialFiles !== undefined) addMaterialFiles(app, basePath, materialFiles, route);
  if (unsubscribing !== undefined) addUnsubscribePage(app, basePath, unsubscribing, route, takePlace);
  if (confirming !== undefined) addConfirmationPage(app, basePath, confirming, route, takePlace);
  if (webPages !== undefined)
    addWebPages(app, basePath, { ...webPages, headerPrefix: headerPrefixes[0], version, route });
}
