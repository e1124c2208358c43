import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { callsOf, type Document, type Schema } from '../../../packages/sdk/generate/calls.ts';
import { examplesIn } from '../../../packages/sdk/generate/examples.ts';
import { signatureOf } from '../../../packages/sdk/generate/resources.ts';
import { sdkPage } from '../../../packages/sdk/generate/sdk.ts';
import { schemasSource } from '../../../packages/sdk/generate/schemas.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const EXAMPLES = join(ROOT, 'test/packages/sdk/examples');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('the generated part of the SDK', () => {
  it('docs/reference/sdk.md is up to date with the API and the examples (npm run sdk)', () => {
    const document = JSON.parse(read('packages/sdk/src/generated/openapi.json')) as Document;
    assert.equal(read('docs/reference/sdk.md'), sdkPage(document, EXAMPLES), 'the page is outdated: run npm run sdk');
  });

  it('the generator names methods after their operations', () => {
    const named = (method: string, path: string, operationId: string) => {
      const call = callsOf(documentOf(path, method, { operationId })).calls[0];
      return `${call?.resource}.${call?.name}`;
    };
    assert.equal(named('get', '/v1/conversions', 'listConversions'), 'conversions.list');
    assert.equal(named('patch', '/v1/program-groups/{id}', 'changeProgramGroup'), 'programGroups.update');
    assert.equal(named('get', '/v1/programs/{id}/versions', 'listProgramVersions'), 'programs.listVersions');
    assert.equal(named('post', '/v1/programs/{id}/collaborators', 'enrollCollaborator'), 'programs.enrollCollaborator');
    assert.equal(named('post', '/v1/payouts/{id}/mark-paid', 'markPayoutPaid'), 'payouts.markPaid');
    assert.equal(named('post', '/v1/payouts/bulk', 'markPayouts'), 'payouts.bulk');
    assert.equal(named('get', '/v1/audit-entries/{id}', 'getAuditEntry'), 'auditEntries.get');
    assert.equal(named('post', '/v1/event/coupon-applied', 'reportCouponApplied'), 'report.couponApplied');
    assert.equal(named('get', '/v1/ledger/checkpoint', 'getLedgerCheckpoint'), 'ledger.getCheckpoint');
  });

  it('the generator rejects two operations that would get the same name', () => {
    const one = documentOf('/v1/payouts/bulk', 'post', { operationId: 'markPayouts' });
    const other = documentOf('/v1/payouts/more/bulk', 'post', { operationId: 'movePayouts' });
    assert.throws(
      () => callsOf({ ...one, paths: { ...one.paths, ...other.paths } }),
      /markPayouts and movePayouts would both be whence\.payouts\.bulk/,
    );
  });

  it('the generator derives parameters, options and the result of a call', () => {
    const signature = (method: string, path: string, more: object) => {
      const call = callsOf(documentOf(path, method, { operationId: 'changeThing', ...more })).calls[0];
      assert.ok(call);
      return signatureOf(call);
    };
    const header = (name: string) => ({ name, in: 'header', schema: {} });
    const body = (schema: Schema, required: boolean) => ({
      requestBody: { required, content: { 'application/json': { schema } } },
    });
    assert.equal(
      signature('patch', '/v1/things/{id}/parts/{partId}', {
        ...body({ type: 'object', required: ['name'] }, true),
        parameters: [header('If-Match')],
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
      }),
      'update(id: Id, partId: Id, body: ChangeThingBody, options?: RequestOptions & VersionOptions): Call<Thing>',
    );
    assert.equal(
      signature('post', '/v1/things', {
        ...body({ type: 'object' }, false),
        parameters: [header('X-Service-OID')],
        responses: { 200: { headers: { 'X-Service-OID': { required: true } } } },
      }),
      'update(body: ChangeThingBody = {}, options?: PostOptions & OpportunityOptions): Call<number>',
    );
    assert.match(
      signature('post', '/v1/things', { responses: { 200: { headers: { 'X-Service-OID': { required: false } } } } }),
      /: Call<number \| null>$/,
    );
    assert.equal(
      signature('get', '/v1/things', {
        parameters: [{ name: 'after', in: 'query', schema: { type: 'string' } }],
        responses: {
          200: { content: { 'application/json': { schema: { type: 'array', items: { type: 'object' } } } } },
        },
      }),
      'update(query?: ChangeThingQuery, options?: RequestOptions): List<ChangeThingAnswerRow>',
    );
    assert.equal(
      signature('post', '/v1/things/export', { responses: { 200: { content: { 'text/csv': {} } } } }),
      'update(options?: PostOptions): Call<string>',
    );
  });

  it('the generator documents nullable fields, and allows undefined for optional fields', () => {
    const source = schemasSource({
      Thing: {
        type: 'object',
        description: 'A thing.',
        properties: {
          at: { anyOf: [{ type: 'string', format: 'date-time', description: 'When.' }, { type: 'null' }] },
          part: { $ref: '#/components/schemas/Part' },
        },
        required: ['at'],
      },
      Part: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    });
    const plain = source.replaceAll(/\s+/g, ' ').trim();
    assert.equal(
      plain,
      '/** A thing. */ export interface Thing { /** When. */ at: string | null; part?: Part | undefined; } ' +
        'export type Part = string | number;',
    );
  });

  it('the generator writes the type of each kind of schema', () => {
    const typeOf = (schema: Schema) =>
      schemasSource({ Thing: schema })
        .replaceAll(/\s+/g, ' ')
        .replace(/^export type Thing = (.*); $/, '$1');
    assert.equal(typeOf({ type: 'integer', minimum: 1 }), 'number');
    assert.equal(typeOf({ type: ['integer', 'number', 'null'] }), 'number | null');
    assert.equal(typeOf({ const: 'made' }), '"made"');
    assert.equal(typeOf({}), 'unknown');
    assert.equal(typeOf({ type: 'array', items: { $ref: '#/components/schemas/Part' } }), 'Part[]');
    assert.equal(typeOf({ type: 'array', items: { enum: ['a', 'b'] } }), 'Array<"a" | "b">');
    const map = { type: 'object', additionalProperties: { type: 'number' } };
    assert.equal(typeOf({ anyOf: [map, { type: 'null' }] }), '{ [key: string]: number; } | null');
    assert.equal(
      typeOf({ type: 'object', properties: { 'a-b': { type: 'string', default: 'x', description: 'End */' } } }),
      'export interface Thing { /** * End *\\/ * @default x */ "a-b"?: string | undefined; } ',
    );
  });
});

describe('packages/sdk/README.md', () => {
  it('shows each tested guide example, and no other TypeScript', () => {
    const examples = [...examplesIn(EXAMPLES).values()];
    const guide = examples.filter(({ name }) => name.startsWith('guide')).map(({ code }) => code);
    const shown = [...read('packages/sdk/README.md').matchAll(/```ts\n([\s\S]*?)\n```/g)].map(([, code]) => code);
    // The README shows one guide example without the call that only the test needs.
    const missing = shown.filter((code = '') => !guide.some((text) => text.startsWith(code)));
    assert.deepEqual(missing, []);
    assert.equal(new Set(shown).size, guide.length);
  });
});

function documentOf(path: string, method: string, more: object): Document {
  const described = { summary: 'It.', responses: { 200: {} }, ...more };
  return { paths: { [path]: { [method]: described } }, components: { schemas: {} } } as unknown as Document;
}
