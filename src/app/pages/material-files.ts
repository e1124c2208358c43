import type { FastifyInstance } from 'fastify';
import { problem } from '#core/contract/problem.ts';
import { contentDisposition } from '#materials/domain/material-file.ts';
import type { StoredFile } from '#materials/store/materials.ts';
import { namesTag } from '#platform/http/entity-tags.ts';
import type { CountRequest } from '#platform/http/rate-limits.ts';
import { sendProblem } from '#platform/http/replies.ts';

/** The path of files, listed so that the server can refuse other methods. */
export const MATERIAL_FILE = '/materials/{key}';

export type MaterialFiles = {
  /** Returns the file with the given key, without its content. Returns undefined for an unknown or archived file. */
  readonly find: (key: string) => Promise<StoredFile | undefined>;
  readonly read: (key: string) => Promise<Buffer | undefined>;
  readonly countRequest: CountRequest;
};

/**
 * Headers for an uploaded file that is served from the service's own origin. Browsers save the file and never show it
 * as a page. Pages of other sites can embed it as an image. If a browser shows the file as a page nevertheless, the
 * page is isolated in an opaque origin, and can't run scripts or load resources.
 */
const FILE_HEADERS = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=3600',
};

const KEY = /^[\w-]{22}$/;

/**
 * Serves the files of materials by their random keys. No login is needed, because partners embed images in their own
 * pages.
 */
export function addMaterialFiles(
  app: FastifyInstance,
  basePath: string,
  { find, read, countRequest }: MaterialFiles,
): void {
  app.get(basePath + MATERIAL_FILE.replace('{key}', ':key'), async (request, reply) => {
    const verdict = countRequest({ kind: 'publishable', caller: 'materials' }, request.ip);
    if (verdict?.allowed === false) {
      return sendProblem(reply, problem('rate-limited', TOO_FAST, { headers: verdict.headers }));
    }
    const { key } = request.params as { readonly key: string };
    const file = KEY.test(key) ? await find(key) : undefined;
    if (file === undefined) return sendProblem(reply, problem('not-found'));
    const tag = `"${file.hash.toString('base64url').slice(0, TAG_LENGTH)}"`;
    const headers = { ...FILE_HEADERS, 'content-disposition': contentDisposition(file.name), etag: tag };
    if (namesTag(request.headers['if-none-match'] ?? '', tag)) return reply.headers(headers).code(304).send();
    const content = await read(key);
    if (content === undefined) return sendProblem(reply, problem('not-found'));
    return reply.headers({ ...headers, 'content-type': file.type }).send(content);
  });
}

const TAG_LENGTH = 22;
const TOO_FAST = 'The rate limit for files is exceeded. Retry after the number of seconds in Retry-After.';
