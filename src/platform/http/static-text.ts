import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { entityTag, namesTag } from './entity-tags.ts';

export type StaticText = StaticHeaders & { readonly make: () => string | Promise<string> };

export type StaticHeaders = {
  readonly contentType: string;
  /** The value of Cache-Control. By default, browsers revalidate the text every time, and usually get a 304. */
  readonly cacheControl?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the content is already compressed, such as a font. If so, it is sent unchanged. */
  readonly isCompressed?: boolean;
};

/** A text in every encoding in which it can be sent. Each encoding is generated at its first use. */
export type Forms = Readonly<Record<Encoding, () => Promise<Form>>>;

/**
 * Serves a text that is the same for all callers and never changes while the process runs. It is generated at its first
 * use, compressed if the client accepts that, and has an ETag.
 */
export function addStaticText(app: FastifyInstance, path: string, { make, ...headers }: StaticText): void {
  const forms = formsOf(make);
  app.get(path, async (request, reply) => sendForm(request, reply, forms, headers));
}

export function formsOf(make: () => string | Buffer | Promise<string | Buffer>): Forms {
  const text = makeOnce(make);
  return {
    br: makeOnce(async () => formOf(await compressBrotli(await text()))),
    gzip: makeOnce(async () => formOf(await compressGzip(await text()))),
    identity: makeOnce(async () => formOf(Buffer.from(await text()))),
  };
}

/** Sends a text in the encoding that the caller accepts, or a 304 if the caller already has it in this encoding. */
export async function sendForm(
  request: FastifyRequest,
  reply: FastifyReply,
  forms: Forms,
  { contentType, cacheControl = 'no-cache', headers = {}, isCompressed = false }: StaticHeaders,
): Promise<FastifyReply> {
  const encoding = isCompressed ? 'identity' : encodingFor(request.headers['accept-encoding']);
  const { bytes, tag } = await forms[encoding]();
  reply.headers({
    'content-type': contentType,
    'cache-control': cacheControl,
    vary: 'Accept-Encoding',
    etag: tag,
    ...headers,
  });
  if (namesTag(request.headers['if-none-match'] ?? '', tag)) return reply.code(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(bytes);
}

type Encoding = 'br' | 'gzip' | 'identity';
type Form = { readonly bytes: Buffer; readonly tag: string };

/** Returns the bytes of an encoding with an ETag, because HTTP requires a different ETag for each encoding. */
function formOf(bytes: Buffer): Form {
  return { bytes, tag: entityTag(bytes) };
}

/**
 * Brotli quality 9 reduces 4.3 MB of script to 1.05 MB in 0.3 s in a separate thread. The default, 11, reduces it to
 * 0.9 MB, but takes 8 s.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

function compressBrotli(text: string | Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(text, BROTLI);
}

function compressGzip(text: string | Buffer): Promise<Buffer> {
  return promisify(gzip)(text);
}

/** Returns the best encoding that the caller accepts. Ignores the weights of encodings, except 0. */
function encodingFor(accepted: string | undefined): Encoding {
  const takes = (name: string): boolean =>
    (accepted ?? '').split(',').some((each) => {
      const [coding = '', weight = ''] = each.split(';').map((part) => part.trim().toLowerCase());
      return coding === name && !/^q=0(\.0*)?$/.test(weight);
    });
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : 'identity';
}

/**
 * Returns a function that calls `make` at its first call, and returns the same promise at every call. If the promise
 * rejects, the next call tries again.
 */
export function makeOnce<Value>(make: () => Value | Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= Promise.resolve()
      .then(make)
      .catch((error: unknown) => {
        made = undefined;
        throw error;
      });
    return made;
  };
}
