import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { makeOnce } from '#platform/http/static-text.ts';
import { zipOf } from './zip.ts';

/** The path of the WooCommerce plugin, as a ZIP archive that WordPress accepts as an upload. */
export const PLUGIN_PATH = '/whence-woocommerce.zip';

const PLUGIN = new URL('../../../packages/woocommerce/whence.php', import.meta.url);

/** Serves the WooCommerce plugin (packages/woocommerce) as a ZIP archive. */
export function addPlugin(app: FastifyInstance, basePath: string): void {
  const archive = makeOnce(async () => zipOf('whence/whence.php', await readFile(PLUGIN)));
  app.get(basePath + PLUGIN_PATH, async (_request, reply) =>
    reply.headers({ 'content-type': 'application/zip', 'cache-control': 'no-cache' }).send(await archive()),
  );
}
