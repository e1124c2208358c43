import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { servedDocument } from '../support/documented-answers.ts';
import { bodyWith, type FieldLimit, fieldLimitsOf, nameOf, pointerOf, sizedValue } from '../support/field-limits.ts';
import { makePerson } from '../support/people.ts';
import { newNetwork, openMailbox, openPortal } from '../support/portal.ts';
import { faultCodes } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { type Call, interfaceOf, type Schema } from '../../tools/fuzz/interface.ts';
import { Digits, jsonText, Members, toWritten, type Written } from '../../tools/fuzz/json-text.ts';

/*
 * Checks every limit of a body or query field in the OpenAPI document against the service. A value at the limit must be
 * accepted. A value just above it must be refused with the code for its kind. docs/reference/limits.md describes the
 * limits.
 */

const document = servedDocument('X-Service');
const served = interfaceOf(document);
const SLUG = 'mugs';
const UNKNOWN = '8999999';
/** The number of people, and of collaborators, that send the requests. A single caller would exceed its rate limit. */
const EACH = 4;

const BEYOND: Readonly<Record<FieldLimit['kind'], string>> = {
  characters: 'too-long',
  entries: 'too-many',
  number: 'out-of-range',
};
/**
 * Fields that report an exceeded limit with an unusual code. For example, an amount that is too long has an invalid
 * format.
 */
const OTHER_CODES: Readonly<Record<string, string>> = {
  'characters after': 'invalid-format',
  'characters amount': 'invalid-format',
  'characters total': 'invalid-format',
  'characters logo': 'invalid-logo',
  'characters percent': 'invalid-format',
  'characters minConversionRate': 'invalid-format',
  'characters maxConversionRate': 'invalid-format',
  'characters maxRefundRate': 'invalid-format',
};

/** Item names have no limit in the document, because longer names are truncated. */
const CUT = /\bitems\[\]\.name$/;
/**
 * Amounts in the currency's smallest unit, each with the field that it replaces in a request. Their limit depends on
 * the currency.
 */
const IN_PLACE_OF: Readonly<Record<string, string>> = { totalMinor: 'total', amountMinor: 'amount' };
const CURRENCY = ['currency', 'USD'] as const;
/**
 * Fields that refuse the value at their documented limit. A correction names no currency, so the service assumes a
 * currency without decimals, whose limit is lower.
 */
const IN_ANY_CURRENCY: ReadonlySet<string> = new Set(['reportSaleCorrection totalMinor']);

const limits = fieldLimitsOf(served).filter((each) => each.in === 'body' || each.in === 'query');

describe('limits of request fields', () => {
  let service: TestService;
  let doors: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
  let turn = 0;
  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
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

  it('every text and list in a request has a limit, except the names of items', () => {
    const boundless = served.calls.flatMap(({ id, parameters, body }) => [
      ...parameters.flatMap(({ name, schema, in: where }) =>
        where === 'header' ? [] : boundlessIn(schema, `${id} ${name}`),
      ),
      ...(body === undefined ? [] : boundlessIn(body, id)),
    ]);
    assert.deepEqual(
      boundless.filter((at) => !CUT.test(at)),
      [],
    );
  });

  for (const [call, those] of Map.groupBy(limits, (each) => each.call))
    it(`${call.id}: accepts values at the limits of its fields, and refuses values beyond them`, async () => {
      for (const each of those) {
        const [over, most] = await Promise.all([sendOver(each), sendMost(each)]);
        const pointer = pointerOf(each);
        const label = `${pointer}: ${each.limit} ${each.kind}`;
        assert.equal(over.status, 422, `${label}: ${over.text.slice(0, 300)}`);
        const { errors } = over.body as { readonly errors: readonly { pointer: string; code: string }[] };
        const codes = errors.flatMap((fault) => (fault.pointer === pointer ? [fault.code] : []));
        const expected = OTHER_CODES[`${each.kind} ${nameOf(each)}`] ?? BEYOND[each.kind];
        assert.ok(codes.includes(expected), `${label}: ${codes.join()}`);
        if (most.status === 422 && !IN_ANY_CURRENCY.has(`${call.id} ${nameOf(each)}`))
          assert.ok(
            !Object.values(BEYOND).includes(faultCodes(most)[pointer] ?? ''),
            `${label}: ${most.text.slice(0, 300)}`,
          );
      }
    });

  /** Sends a value just above the limit, in a request that is otherwise valid. */
  function sendOver(each: FieldLimit): Promise<Reply> {
    const value = sizedValue(served, each, each.limit + 1);
    return each.in === 'query'
      ? sendQuery(each, value)
      : send(each.call, bodyWith(served, each, value, exampleWithout(IN_PLACE_OF[nameOf(each)], each.call)));
  }

  /** Sends a value at the limit. If the call has other fields, one of them is invalid, so that nothing is stored. */
  function sendMost(each: FieldLimit): Promise<Reply> {
    const value = sizedValue(served, each, each.limit);
    if (each.in === 'query') return sendQuery(each, value);
    const body = bodyWith(served, each, value, new Members([]));
    const beside = each.path[0] === 'totalMinor' ? [CURRENCY] : [];
    const other = Object.keys(served.resolve(each.call.body ?? {}).properties ?? {}).find(
      (name) => name !== each.path[0],
    );
    const wrong = other === undefined ? [] : [[other, [[]]] as const];
    return send(each.call, new Members([...(body instanceof Members ? body.list : []), ...beside, ...wrong]));
  }

  function sendQuery({ call, path }: FieldLimit, value: Written): Promise<Reply> {
    const [name] = path;
    // With one row per page, the last page number is the largest possible offset.
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

function exampleWithout(field: string | undefined, call: Call): Written {
  const example = exampleOf(call);
  return example instanceof Members ? new Members(example.list.filter(([name]) => name !== field)) : example;
}

/** Returns the example body of a call in the document, or an empty object if the document has no example. */
function exampleOf({ path, method }: Call): Written {
  const described = document.paths[path]?.[method.toLowerCase()] as unknown as {
    requestBody: { content: Record<string, { example: unknown }> };
  };
  return toWritten(described.requestBody.content['application/json']?.example ?? {});
}

/**
 * Returns the paths of the texts and lists in a schema that have no length limit. Texts of digits and lists of fixed
 * values are omitted, because their values limit them.
 */
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
