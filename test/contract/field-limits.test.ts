import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { servedDocument } from '#test/support/documented-answers.ts';
import { bodyWith, type FieldLimit, fieldLimitsOf, nameOf, pointerOf, sized } from '#test/support/field-limits.ts';
import { makePerson } from '#test/support/people.ts';
import { FROM_NETWORKS, newNetwork, openMailbox, openPortal } from '#test/support/portal.ts';
import { faultCodes } from '#test/support/replies.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { type Call, interfaceOf, type Schema } from '../../fuzz/interface.ts';
import { Digits, jsonText, Members, type Written, written } from '../../fuzz/json-text.ts';

/*
 * Every limit that openapi.json tells of a field is the service's own: one more is refused by the code of its kind, and
 * nothing is said of as much. docs/limits.md has them in words.
 */

const document = servedDocument('X-Service');
const served = interfaceOf(document);
const SLUG = 'mugs';
const UNKNOWN = '8999999';
/** One person or collaborator may not send as much in a second as is sent here. */
const EACH = 4;

const BEYOND: Readonly<Record<FieldLimit['kind'], string>> = {
  characters: 'too-long',
  entries: 'too-many',
  number: 'out-of-range',
};
/** Text that is too long for a number, a picture or a cursor is none. */
const TOLD_OTHERWISE: Readonly<Record<string, string>> = {
  'characters after': 'invalid-format',
  'characters amount': 'invalid-format',
  'characters total': 'invalid-format',
  'characters logo': 'invalid-logo',
};

const limits = fieldLimitsOf(served).filter((each) => each.in === 'body' || each.in === 'query');

describe('a field', () => {
  let service: TestService;
  let doors: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
  let turn = 0;
  before(async () => {
    service = await startService({ ...FROM_NETWORKS, WHENCE_ROLE: 'api' });
    const { secretKey: key } = service;
    const portal = await openPortal(service, await openMailbox(service), SLUG, key);
    const people = Array.from({ length: EACH }, (_, n) => makePerson(service, 'owner', `owner-${n}@mugs.example`));
    const partners = Array.from({ length: EACH }, async (_, n) => {
      const email = `partner-${n}@mugs.example`;
      await service.request('POST', '/v1/collaborators', { key, body: { name: 'Partner', email } });
      return portal.enter(email);
    });
    const ofPages = ({ cookie }: { readonly cookie: string }) => ({ 'sec-fetch-site': 'same-origin', cookie });
    doors = {
      secretKey: [{ authorization: `Bearer ${key}` }],
      personSession: (await Promise.all(people)).map(ofPages),
      portalSession: (await Promise.all(partners)).map(ofPages),
    };
  });
  after(() => service.stop());

  it('of a text or a list has a limit, wherever it is sent', () => {
    const boundless = served.calls.flatMap(({ id, parameters, body }) => [
      ...parameters.flatMap(({ name, schema, in: where }) =>
        where === 'header' ? [] : boundlessIn(schema, `${id} ${name}`),
      ),
      ...(body === undefined ? [] : boundlessIn(body, id)),
    ]);
    assert.deepEqual(boundless, []);
  });

  for (const [call, those] of Map.groupBy(limits, (each) => each.call))
    it(`${call.id} keeps to its limits`, async () => {
      for (const each of those) {
        const [over, most] = await Promise.all([sendOver(each), sendMost(each)]);
        const pointer = pointerOf(each);
        const told = `${pointer}: ${each.limit} ${each.kind}`;
        assert.equal(over.status, 422, `${told}: ${over.text.slice(0, 300)}`);
        assert.equal(
          faultCodes(over)[pointer],
          TOLD_OTHERWISE[`${each.kind} ${nameOf(each)}`] ?? BEYOND[each.kind],
          told,
        );
        if (most.status === 422)
          assert.ok(
            !Object.values(BEYOND).includes(faultCodes(most)[pointer] ?? ''),
            `${told}: ${most.text.slice(0, 300)}`,
          );
      }
    });

  /** One more, with nothing else that is wrong. */
  function sendOver(each: FieldLimit): Promise<Reply> {
    const value = sized(served, each, each.limit + 1);
    return each.in === 'query'
      ? sendQuery(each, value)
      : send(each.call, bodyWith(served, each, value, exampleOf(each.call)));
  }

  /** As much, with something else that is wrong where there is anything else: so that nothing is stored. */
  function sendMost(each: FieldLimit): Promise<Reply> {
    const value = sized(served, each, each.limit);
    if (each.in === 'query') return sendQuery(each, value);
    const body = bodyWith(served, each, value, new Members([]));
    const other = Object.keys(served.resolve(each.call.body ?? {}).properties ?? {}).find(
      (name) => name !== each.path[0],
    );
    const wrong = other === undefined ? [] : [[other, [[]]] as const];
    return send(each.call, new Members([...(body instanceof Members ? body.list : []), ...wrong]));
  }

  function sendQuery({ call, path }: FieldLimit, value: Written): Promise<Reply> {
    const [name] = path;
    // Pages of one row: the last that has a number is as far from the first as any may be.
    const rest = name === 'page' ? '&perPage=1' : '';
    return send(call, undefined, `?${name}=${value instanceof Digits ? value.text : (value as string)}${rest}`);
  }

  function send(call: Call, body: Written | undefined, query = ''): Promise<Reply> {
    const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'slug' ? SLUG : UNKNOWN));
    return service.request(call.method, path + query, {
      body: body === undefined ? undefined : jsonText(body),
      headers: { 'x-forwarded-for': newNetwork(), ...doorOf(call) },
    });
  }

  function doorOf({ security }: Call): Readonly<Record<string, string>> {
    const scheme = security.flatMap((door) => Object.keys(door)).find((name) => doors[name] !== undefined);
    const those = doors[scheme ?? ''] ?? [];
    return those[(turn += 1) % those.length] ?? {};
  }
});

/** A body as the document has it. */
function exampleOf({ path, method }: Call): Written {
  const described = document.paths[path]?.[method.toLowerCase()] as unknown as {
    requestBody: { content: Record<string, { example: unknown }> };
  };
  return written(described.requestBody.content['application/json']?.example ?? {});
}

/** The texts and lists of a schema that may be of any length. A number in digits is bounded by what it says. */
function boundlessIn(given: Schema, at: string): string[] {
  const schema = served.resolve(given);
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  const isNamed = schema.enum !== undefined || schema.const !== undefined || schema.format !== undefined;
  const isShort = schema.maxLength !== undefined || (schema.pattern !== undefined && !/[*+]|,\}/.test(schema.pattern));
  const isDigits = schema.pattern === '^[0-9]+$' || schema.pattern === '^-?[0-9]+$';
  const own = [
    ...(types.includes('string') && !isNamed && !isShort && !isDigits ? [at] : []),
    ...(types.includes('array') &&
    schema.maxItems === undefined &&
    served.resolve(schema.items ?? {}).enum === undefined
      ? [at]
      : []),
  ];
  return [
    ...own,
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) => boundlessIn(one, at)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => boundlessIn(one, `${at}.${name}`)),
    ...(schema.items === undefined ? [] : boundlessIn(schema.items, `${at}[]`)),
    ...(schema.additionalProperties === undefined ? [] : boundlessIn(schema.additionalProperties, `${at}{}`)),
  ];
}
