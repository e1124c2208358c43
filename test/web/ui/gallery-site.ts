import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
// @ts-expect-error the script is plain JavaScript without types, because the bootstrap may run it on an older Node
import { bundlePages } from '../../../scripts/build-pages.mjs';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** The Content-Security-Policy that the service sends with the console. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

export type GallerySite = {
  readonly url: string;
  /** The gzipped size in bytes of the scripts, and of the styles, that the HTML of the page references. */
  readonly firstLoad: { readonly script: number; readonly style: number };
  /** The gzipped size of each asset in bytes, by file name. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly close: () => Promise<void>;
};

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

/** Builds the gallery like the console, and serves it with the console’s Content-Security-Policy. */
export async function serveGallery(): Promise<GallerySite> {
  const folder = await mkdtemp(join(tmpdir(), 'whence-gallery-'));
  await bundlePages(ROOT, join(ROOT, 'test', 'web', 'ui', 'gallery'), folder);
  const html = (await readFile(join(folder, 'index.html'), 'utf8')).replaceAll('{root}', '').replaceAll('{place}', '');
  const assets = join(folder, 'assets');
  const sizes = new Map<string, number>();
  for (const name of await readdir(assets)) sizes.set(name, gzipSync(await readFile(join(assets, name))).length);

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '/', 'http://gallery').pathname;
    response.setHeader('Content-Security-Policy', POLICY);
    const name = basename(path);
    if (!path.startsWith('/assets/') || !sizes.has(name)) {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html);
      return;
    }
    response.writeHead(200, { 'Content-Type': TYPES[extname(name)] ?? 'text/plain' });
    response.end(await readFile(join(assets, name)));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const first = (type: string) =>
    [...html.matchAll(/\/assets\/([\w.-]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => extname(name) === type)
      .reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    firstLoad: { script: first('.js'), style: first('.css') },
    sizes,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true });
    },
  };
}
