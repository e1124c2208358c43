import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sharedFiles } from './shared-files.ts';
import type { PageRoute } from './page-limit.ts';
import { problem } from '#core/contract/problem.ts';
import { contentDisposition } from '#materials/domain/material-file.ts';
import type { StoredFile } from '#materials/store/materials.ts';
import { namesTag } from '#platform/http/entity-tags.ts';
import { MAX_EXPORT_STALL_MS, MAX_EXPORT_WAIT_MS } from '#platform/http/export-limits.ts';
import { closeSignal, visitor } from '#platform/http/call-limits.ts';
import { isNextResponse } from '#platform/http/next-response.ts';
import { places } from '#platform/http/places.ts';
import { sendProblem } from '#platform/http/replies.ts';
import { pacedReads } from '#platform/http/shared-reads.ts';

/** The path of a material's file. SERVICE_PAGES includes it, so that the server refuses other methods. */
export const MATERIAL_FILE = '/materials/{key}';

export type MaterialFiles = {
  /** Returns the file with the given key, without its content. Returns undefined for an unknown or archived file. */
  readonly find: (key: string) => Promise<StoredFile | undefined>;
  readonly read: (key: string) => Promise<Buffer | undefined>;
};

/**
 * Headers for an uploaded file that is served from the service's own origin. Pages of other sites can embed the file as
 * an image. If a browser shows the file as a page, the page is isolated in an opaque origin, and can't run scripts or
 * load resources.
 */
const FILE_HEADERS = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=3600',
};

const KEY = /^[\w-]{22}$/;

/** The maximum number of concurrent file requests in a process. Each request can read a file from the database. */
export const MAX_FILES_READ = 2;
/** The maximum number of concurrent file requests of one network in a process. Further requests wait. */
export const MAX_FILES_OF_NETWORK = 1;
/** The maximum number of waiting file requests of one network in a process. */
export const MAX_WAITING_FILES = 20;
/** The maximum number of waiting file requests of all networks in a process. */
export const MAX_WAITING_FILES_OF_ALL = 500;

/**
 * Serves the files of materials by their random keys. No login is needed, because partners embed images in their own
 * pages.
 */
export function addMaterialFiles(
  app: FastifyInstance,
  basePath: string,
  { find, read }: MaterialFiles,
  route: PageRoute,
): void {
  const paced = pacedReads<Buffer | undefined>();
  const takeFile = sharedFiles((key) => paced('files', () => read(key)));
  const takePlace = places({
    atOnce: MAX_FILES_READ,
    ofOrganization: MAX_FILES_OF_NETWORK,
    maxWaiting: MAX_WAITING_FILES,
    maxWaitingOfGroup: MAX_WAITING_FILES,
    maxWaitingOfAll: MAX_WAITING_FILES_OF_ALL,
    waitMs: MAX_EXPORT_WAIT_MS,
  });
  app.get(basePath + MATERIAL_FILE.replace('{key}', ':key'), route, async (request, reply) => {
    if (!(await isNextResponse(reply.raw))) return reply;
    const leave = await takePlace(visitor(request.ip), closeSignal(reply.raw));
    if (leave === undefined) return sendProblem(reply, TOO_MANY);
    try {
      return await answerFile(request, reply);
    } finally {
      leave();
    }
  });

  async function answerFile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { key } = request.params as { readonly key: string };
    const file = KEY.test(key) ? await find(key) : undefined;
    if (file === undefined) return sendProblem(reply, problem('not-found'));
    const tag = `"${file.hash.toString('base64url').slice(0, TAG_LENGTH)}"`;
    const headers = { ...FILE_HEADERS, 'content-disposition': contentDisposition(file.name), etag: tag };
    if (namesTag(request.headers['if-none-match'] ?? '', tag)) return reply.headers(headers).code(304).send();
    if (request.method === 'HEAD') {
      // Send a stream, because the framework replaces the Content-Length of an empty response to HEAD.
      const length = { 'content-type': file.type, 'content-length': String(file.bytes) };
      return reply.headers({ ...headers, ...length }).send(Readable.from([]));
    }
    const { raw } = reply;
    const network = visitor(request.ip).caller;
    const taken = await takeFile(file, { network, end: () => void raw.destroy() });
    if (taken.kind === 'gone') return sendProblem(reply, problem('not-found'));
    if (taken.kind === 'full') return sendProblem(reply, TOO_MANY);
    if (raw.destroyed) taken.release();
    else raw.once('close', taken.release);
    raw.setTimeout(MAX_EXPORT_STALL_MS);
    return reply.headers({ ...headers, 'content-type': file.type }).send(taken.content);
  }
}

const TOO_MANY = problem(
  'rate-limited',
  'Too many files are being sent at this time. Retry after the number of seconds in Retry-After.',
  { headers: { 'retry-after': '1' } },
);
const TAG_LENGTH = 22;
