import Fastify, { type FastifyInstance } from 'fastify';
import { addStaticText } from '#platform/http/static-text.ts';

export const REFERENCE_PAGES = ['/docs', '/docs/scalar.js', '/docs/start.js'];

/**
 * Adds the API reference, for reading and trying calls: a page that shows /openapi.json with Scalar. All files are
 * served from this host. The page's policy forbids requests to other hosts.
 */
export function addReferencePage(app: FastifyInstance, basePath: string): void {
  addStaticText(app, `${basePath}/docs`, {
    contentType: 'text/html; charset=utf-8',
    headers: PAGE_HEADERS,
    make: () => page(basePath),
  });
  addStaticText(app, `${basePath}/docs/scalar.js`, { contentType: SCRIPT, make: scalarScript });
  addStaticText(app, `${basePath}/docs/start.js`, { contentType: SCRIPT, make: () => startScript(basePath) });
}

const SCRIPT = 'text/javascript; charset=utf-8';

/**
 * The content security policy of the page. It forbids other hosts, inline scripts, eval, and framing. Inline styles are
 * allowed, because Scalar and its editor write `<style>` elements and style attributes at run time. Even a style can't
 * load resources from another host.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

function page(basePath: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Whence API</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="app"></div>
    <noscript>This page needs JavaScript. The same content is in <a href="${basePath}/openapi.json">openapi.json</a> and, shorter, in <a href="${basePath}/llms.txt">llms.txt</a>.</noscript>
    <script src="${basePath}/docs/scalar.js"></script>
    <script src="${basePath}/docs/start.js"></script>
  </body>
</html>
`;
}

/**
 * Returns the script that shows the document. A key that is typed in stays in the page and is never stored. Optional
 * parameters are switched off until the reader enables them. By default, Scalar would send every parameter with an
 * example.
 */
function startScript(basePath: string): string {
  return `'use strict';
const OPTIONS = ${JSON.stringify(OPTIONS, null, 2)};

void show(${JSON.stringify(`${basePath}/openapi.json`)});

async function show(url) {
  const content = await (await fetch(url)).json();
  const operations = Object.values(content.paths).flatMap((path) => Object.values(path));
  for (const { parameters = [] } of operations) {
    for (const parameter of parameters.filter(({ required }) => !required)) switchOff(parameter);
  }
  globalThis.Scalar.createApiReference('#app', { ...OPTIONS, content });
}

function switchOff(parameter) {
  const { examples = [], default: fallback, enum: values = [] } = parameter.schema;
  const value = parameter.example ?? fallback ?? examples[0] ?? values[0] ?? '';
  delete parameter.example;
  parameter.examples = { example: { value, 'x-disabled': true } };
}
`;
}

const OPTIONS = {
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // Hide the download of the document, because its optional parameters are switched off on this page. The introduction
  // already links to /openapi.json.
  documentDownloadType: 'none',
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'secretKey' },
  // Sections get the focus when a reader navigates to them. The style hides the outline of sections. It also hides the
  // button for the list of calls, which would cover the URL of the call on a phone.
  customCss:
    '.section:focus-visible { outline: none; } ' +
    '@media (max-width: 767px) { .scalar-client .scalar-sidebar-toggle { display: none; } }',
};

/**
 * Returns Scalar's script. Only its Fastify plugin provides the script, so it is requested from a server that never
 * listens. The package is imported when the page is first opened, because loading it uses 60 MB.
 */
async function scalarScript(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const holder = Fastify();
  await holder.register(scalar, { routePrefix: '/', configuration: { url: '/openapi.json' } });
  const reply = await holder.inject('/js/scalar.js');
  await holder.close();
  if (reply.statusCode !== 200)
    throw new Error(`Scalar’s plugin returned ${reply.statusCode} instead of its script. Install the packages again.`);
  return reply.body;
}
