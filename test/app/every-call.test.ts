import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ACCEPTED, REFUSED } from '../support/json-cases.ts';
import { servedDocument } from '../support/documented-answers.ts';
import { bodyWith, fieldLimitsOf, pointerOf } from '../support/field-limits.ts';
import { makePerson } from '../support/people.ts';
import { newNetwork, openMailbox, openPortal } from '../support/portal.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { type Reply, type RequestOptions, startService, type TestService } from '../support/service.ts';
import { type Call, interfaceOf, type Schema } from '../../tools/fuzz/interface.ts';
import { jsonText, toWritten } from '../../tools/fuzz/json-text.ts';
import { unexplainedWrites } from '../../tools/fuzz/judges/refusals.ts';
import { watchWrites, type Writes } from '../../tools/fuzz/judges/writes.ts';

/*
 * Sends requests that every call of the OpenAPI document must refuse. They have other methods, other spellings of the
 * path, invalid keys, bodies that are not JSON, or fields and filters of wrong types. New calls are included
 * automatically. Each kind of request gets one problem code with one status, and nothing is stored.
 */

const document = servedDocument('X-Service');
const served = interfaceOf(document);
const SLUG = 'mugs';
const UNKNOWN = '8999999';
const MOST_BODIES = 60;
/** The numbers of people and collaborators that send the requests. A single caller would exceed its rate limit. */
const OWNERS = 6;
const PARTNERS = 12;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];
const NO_IDS = [
  '0',
  '-1',
  '+1',
  '1.0',
  '1e3',
  '0x1',
  'x',
  '%00',
  '%20',
  '%ff',
  '1;a',
  "1'--",
  '9007199254740992',
  '9'.repeat(500),
];
const OTHER_TYPES = [
  'text/plain',
  'text/json',
  'application/jsonp',
  'application/problem+json',
  'application/json; charset=utf-16',
  'application/json, application/json',
  'nonsense',
  '',
];
const NO_OBJECTS = [
  'null',
  '0',
  '"x"',
  '[]',
  '[{}]',
  '{',
  '{"a":1,}',
  '\ufeff{}',
  '{} {}',
  '{"a":1,"a":2}',
  String.raw`{"a":1,"\u0061":2}`,
];
const NO_TEXT = [Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), '['.repeat(10_000)];
const NO_INTEGERS = ['1e3', '0x10', '-1', '1.5', '9007199254740992', '9'.repeat(2_000), '%D9%A3', '%00', ''];
/** JSON values that no numeric field accepts. */
const NO_NUMBERS = ['1e400', '9007199254740993', '9'.repeat(5_000), '-9223372036854775809', '[]', 'true'];
/** JSON values that no text field accepts. */
const NO_STORABLE = [String.raw`"a\u0000b"`, String.raw`"\ud800"`, String.raw`"a\udc00"`, '[[]]', '{"$ne":""}'];
/** Texts that can’t be stored. The tests send them in every nested text field. */
const UNSTORABLE = ['a\0b', '\ud800', 'a\udc00'];
const INNER_TEXTS = fieldLimitsOf(served).filter(
  ({ in: where, kind, path }) => where === 'body' && kind === 'characters' && path.length > 1,
);

describe('every call of the OpenAPI document', () => {
  let service: TestService;
  let writes: Writes;
  let organizationId: string;
  /**
   * The headers of the most privileged callers, by security scheme. The callers of a scheme take turns, because of
   * their rate limits.
   */
  let doors: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
  let turn = 0;
  before(async () => {
    // No worker runs, because its decisions would change responses during the test.
    service = await startService({ WHENCE_ROLE: 'api' });
    const { secretKey: key } = service;
    const mailbox = await openMailbox(service);
    const portal = await openPortal(service, mailbox, SLUG, key);
    const [owners, partners] = await Promise.all([
      Promise.all(numbers(OWNERS).map((n) => makePerson(service, 'owner', `owner-${n}@mugs.example`))),
      Promise.all(
        numbers(PARTNERS).map(async (n) => {
          const email = `partner-${n}@mugs.example`;
          await service.request('POST', '/v1/collaborators', { key, body: { name: 'Partner', email } });
          return portal.enter(email);
        }),
      ),
    ]);
    const ofPages = ({ cookie }: { readonly cookie: string }) => ({ 'sec-fetch-site': 'same-origin', cookie });
    doors = {
      secretKey: [{ authorization: `Bearer ${key}` }],
      personSession: owners.map(ofPages),
      portalSession: partners.map(ofPages),
    };
    organizationId = String(((await service.request('GET', '/v1/organization', { key })).body as { id: number }).id);
    writes = await watchWrites(service.database);
  });
  after(() => service.stop());

  /** Sends a call as an authorized caller, with the given changes. The default path contains unknown ids. */
  function send(
    call: Call,
    { path = pathOf(call), query = '', headers = {}, ...options }: Changed = {},
  ): Promise<Reply> {
    return service.request(options.method ?? call.method, path + query, {
      body: call.body === undefined ? undefined : exampleOf(call),
      ...options,
      headers: { 'x-forwarded-for': newNetwork(), ...doorOf(call), ...headers },
    });
  }

  function doorOf({ security }: Call): Readonly<Record<string, string>> {
    const scheme = security.flatMap((door) => Object.keys(door)).find((name) => doors[name] !== undefined);
    const those = doors[scheme ?? ''] ?? [];
    return those[(turn += 1) % those.length] ?? {};
  }

  /**
   * Asserts that all replies have the given status, and that nothing was stored. Each non-empty body must be a problem
   * with the given code and reveal no internals. Returns the replies.
   */
  async function areRefused(replies: readonly Promise<Reply>[], status: number, code: string): Promise<Reply[]> {
    const answered = await Promise.all(replies);
    for (const reply of answered) {
      assert.equal(reply.status, status, reply.text.slice(0, 500));
      if (reply.text === '') continue;
      assert.equal(problemCode(reply), code);
      assert.equal(reply.headers.get('content-type'), 'application/problem+json');
      assert.doesNotMatch(reply.text, /node_modules|\.ts:\d|\bat \w+ \(|select |insert into |FST_ERR|pg_/);
    }
    assert.deepEqual(unexplainedWrites(await writes.since(organizationId)), []);
    return answered;
  }

  /** Asserts that each body is refused with a fault at or below the given pointer. */
  async function areListed(
    call: Call,
    wrong: readonly { readonly at: string; readonly body: string }[],
  ): Promise<void> {
    const replies = wrong.map(({ body }) => send(call, { body }));
    const answered = await areRefused(replies, 422, 'invalid-request');
    for (const [index, { at, body }] of wrong.entries()) {
      const pointers = Object.keys(faultCodes(answered[index] as Reply));
      assert.ok(
        pointers.some((pointer) => pointer === at || pointer.startsWith(`${at}/`)),
        `${at}: ${body.slice(0, 200)} → ${pointers.join(', ')}`,
      );
    }
  }

  for (const path of new Set(served.calls.map((call) => call.path))) {
    const [call] = served.calls.filter((one) => one.path === path) as [Call];

    it(`${path} refuses undocumented methods with 405`, async () => {
      const { methods } = served.at(path.replaceAll(/\{\w+\}/g, UNKNOWN))!;
      const others = METHODS.filter((method) => !methods.includes(method));
      const bodyless = { body: undefined };
      const replies = others.flatMap((method) => [
        send(call, { ...bodyless, method }),
        send(call, { ...bodyless, method, headers: { 'x-http-method-override': call.method } }),
      ]);
      for (const { headers } of await areRefused(replies, 405, 'method-not-allowed'))
        assert.deepEqual((headers.get('allow') ?? '').split(', ').sort(), [...methods].sort());
    });

    it(`${path} returns 404 for other spellings of the path`, async () => {
      const right = pathOf(call);
      const spellings = [
        `${right}/`,
        `/${right}`,
        right.replace('/v1/', '/v1//'),
        right.replace('/v1/', '/V1/'),
        `${right}%zz`,
        right.replace(/^\/v1\/(\w+)/, (_, noun: string) => `/v1/${noun.toUpperCase()}`),
      ];
      await areRefused(
        spellings.map((path) => send(call, { path })),
        404,
        'not-found',
      );
    });
  }

  const withBody = served.calls.filter(({ body }) => body !== undefined);
  const inTurn = (index: number): Call => withBody[index % withBody.length] as Call;

  it('POST /v1/programs/example ignores duplicate values in countedLines', async () => {
    const reward = { type: 'percent', percent: 10 };
    const [once, twice] = await Promise.all(
      [['fee'], ['fee', 'fee']].map((countedLines) =>
        service.request('POST', '/v1/programs/example', {
          key: service.secretKey,
          body: { name: 'Friends', reward, countedLines },
        }),
      ),
    );
    assert.deepEqual([twice?.status, twice?.text], [200, once?.text]);
  });

  it('POST /v1/programs/example refuses __proto__ as an unknown trigger', async () => {
    const body = '{"name":"Friends","reward":{"type":"percent","percent":10},"triggers":{"__proto__":1}}';
    const key = service.secretKey;
    const [reply] = await areRefused(
      [service.request('POST', '/v1/programs/example', { key, body })],
      422,
      'invalid-request',
    );
    assert.deepEqual(faultCodes(reply as Reply), { '/triggers/__proto__': 'unknown-trigger' });
  });

  for (const [rule, bodies] of Object.entries(REFUSED))
    it(`a JSON body is refused: ${rule}`, async () => {
      await areRefused(
        someOf(bodies).map((body, index) => send(inTurn(index), { body })),
        400,
        'malformed-json',
      );
    });

  for (const [rule, values] of Object.entries(ACCEPTED))
    it(`a JSON body is accepted: ${rule}`, async () => {
      const replies = someOf(values).map((value, index) => send(inTurn(index), { body: `{"constructor":${value}}` }));
      for (const { status, text } of await Promise.all(replies)) assert.notEqual(status, 400, text);
      // Some calls succeed without fields and write rows. Discard the record of the writes, so that later checks ignore
      // them.
      await writes.since(organizationId);
    });

  for (const call of served.calls) {
    const { id, parameters, body } = call;

    if (parameters.some((one) => one.in === 'path' && one.name !== 'slug'))
      it(`${id}: returns 404 for malformed ids`, async () => {
        const names = parameters.filter((one) => one.in === 'path' && one.name !== 'slug').map(({ name }) => name);
        const paths = names.flatMap((name) => NO_IDS.map((text) => pathOf(call, { [name]: text })));
        await areRefused(
          paths.map((path) => send(call, { path })),
          404,
          'not-found',
        );
      });

    if (call.security.length > 0)
      it(`${id}: returns the same 401 for all callers without a valid key`, async () => {
        const { secretKey } = service;
        const sent = [
          {},
          { authorization: 'Bearer nonsense' },
          { authorization: `Bearer ${secretKey.slice(0, -1)}` },
          { authorization: `Bearer ${secretKey}x` },
          { authorization: `Bearer ${secretKey.toUpperCase()}` },
          { authorization: `Bearer ${secretKey} ${secretKey}` },
          { authorization: `Bearer ${secretKey}\u0080` },
          { authorization: `Basic ${btoa(`${secretKey}:`)}` },
          { authorization: secretKey },
          { cookie: 'whence=nonsense; whence-portal=nonsense', 'sec-fetch-site': 'same-origin' },
          { ...doors['personSession']?.[0], 'sec-fetch-site': 'cross-site' },
        ];
        const inQuery = `?key=${secretKey}&authorization=Bearer%20${secretKey}`;
        const nobody = (headers: object, query = '') =>
          service.request(call.method, pathOf(call) + query, {
            body: call.body === undefined ? undefined : exampleOf(call),
            headers: headers as Record<string, string>,
          });
        const nowhere = service.request(call.method, pathOf(call, { id: '9'.repeat(500) }), {
          body: call.body === undefined ? undefined : exampleOf(call),
        });
        const replies = [...sent.map((headers) => nobody(headers)), nobody({}, inQuery), nowhere];
        const answered = await areRefused(replies, 401, 'unauthenticated');
        assert.equal(new Set(answered.map(({ text }) => text)).size, 1);
      });

    const filters = parameters.filter((one) => one.in === 'query');
    if (filters.length > 0)
      it(`${id}: refuses invalid and unknown filters`, async () => {
        const queries = filters.flatMap(({ name, schema }) => [
          `?${name}=1&${name}=1`,
          `?${name}=%00`,
          `?${name}=${'x'.repeat(9_000)}`,
          ...(schema.type === 'integer' ? NO_INTEGERS.map((text) => `?${name}=${text}`) : []),
        ]);
        await areRefused(
          [...queries, '?unknown=1', '?__proto__=1', '?toString=1'].map((query) => send(call, { query })),
          422,
          'invalid-request',
        );
        await areRefused(
          ['?unknown=%ff', '?%ED%A0%80=1', '?unknown=%zz'].map((query) => send(call, { query })),
          400,
          'bad-request',
        );
      });

    if (body === undefined && call.method !== 'GET' && call.path.endsWith('{id}'))
      it(`${id}: accepts any content type, because it reads no body`, async () => {
        const replies = OTHER_TYPES.map((type) => send(call, { headers: { 'content-type': type } }));
        await areRefused(replies, 404, 'not-found');
      });

    if (body === undefined) continue;

    it(`${id}: refuses unsupported content types and encodings with 415`, async () => {
      const replies = OTHER_TYPES.map((type) => send(call, { headers: { 'content-type': type } }));
      const encoded = ['gzip', 'br', 'identity, gzip'].map((encoding) =>
        send(call, { headers: { 'content-encoding': encoding } }),
      );
      await areRefused([...replies, ...encoded], 415, 'unsupported-media-type');
    });

    it(`${id}: refuses a body that is not a JSON object, or is too large`, async () => {
      await areRefused(
        [...NO_OBJECTS, ...NO_TEXT].map((body) => send(call, { body })),
        400,
        'malformed-json',
      );
      await areRefused([send(call, { body: `{"x":"${'a'.repeat(longestOf(call))}"}` })], 413, 'body-too-large');
    });

    it(`${id}: refuses fields of wrong types`, async () => {
      const fields = Object.entries(served.resolve(body).properties ?? {});
      const wrong = fields.flatMap(([name, schema]) =>
        wrongFor(schema).map((text) => ({ at: `/${name}`, body: withField(call, name, text) })),
      );
      await areListed(call, wrong);
    });

    const inner = INNER_TEXTS.filter((text) => text.call === call);
    if (inner.length > 0)
      it(`${id}: refuses nested texts that can’t be stored`, async () => {
        const base = toWritten(exampleOf(call));
        const wrong = inner.flatMap((text) =>
          UNSTORABLE.map((value) => ({ at: pointerOf(text), body: jsonText(bodyWith(served, text, value, base)) })),
        );
        await areListed(call, wrong);
      });
  }
});

type Changed = Omit<RequestOptions, 'key'> & {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
};

/** Returns at most MOST_BODIES of the bodies, spread over the list. The parser’s own test covers the whole list. */
function someOf(bodies: readonly string[]): readonly string[] {
  const step = Math.ceil(bodies.length / MOST_BODIES);
  return bodies.filter((_, index) => index % step === 0);
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

function pathOf({ path }: Call, given: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? (name === 'slug' ? SLUG : UNKNOWN));
}

/** Returns the example body of a call in the document, or an empty object if the document has no example. */
function exampleOf({ path, method }: Call): Readonly<Record<string, unknown>> {
  const described = document.paths[path]?.[method.toLowerCase()] as unknown as {
    requestBody: { content: Record<string, { example: Record<string, unknown> }> };
  };
  return described.requestBody.content['application/json']?.example ?? {};
}

/** Returns the example body as JSON, with one field replaced by the given JSON text. */
function withField(call: Call, name: string, text: string): string {
  const others = Object.entries(exampleOf(call)).filter(([other]) => other !== name);
  const members = others.map(([other, value]) => `${JSON.stringify(other)}:${jsonText(toWritten(value))}`);
  return `{${[...members, `${JSON.stringify(name)}:${text}`].join(',')}}`;
}

/** Returns JSON texts that a field with the given schema does not accept. */
function wrongFor(schema: Schema): readonly string[] {
  const kinds = kindsOf(schema);
  if (kinds.has('string')) return NO_STORABLE;
  if (kinds.has('array')) return ['1', '"x"', '{"0":1}', '[[[]]]'];
  if (kinds.has('object')) return ['1', '"x"', '[{}]', 'true'];
  if (kinds.has('boolean')) return ['1', '"true"', '[]', '{}'];
  return NO_NUMBERS;
}

function kindsOf(given: Schema): Set<string> {
  const schema = served.resolve(given);
  const choices = schema.anyOf ?? schema.oneOf ?? [];
  const own = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return new Set([...own, ...choices.flatMap((choice) => [...kindsOf(choice)])]);
}

/**
 * Returns the maximum body size of a call in bytes. The call with files accepts 3 MiB. Public calls, and calls that
 * accept a publishable key or a portal session, accept 16 KiB. Any other call accepts 1 MiB.
 */
function longestOf({ id, security }: Call): number {
  if (id === 'createMaterial') return 3_145_728;
  const isOutside =
    security.length === 0 || security.some((ways) => 'publishableKey' in ways || 'portalSession' in ways);
  return isOutside ? 16_384 : 1_048_576;
}
