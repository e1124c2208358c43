import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problem, problemBody } from '#core/contract/problem.ts';
import { documentedAnswers, type SeenAnswer, servedDocument } from '../support/documented-answers.ts';

/* Tests the check that compares each response in the other tests with the OpenAPI document. */

const isDocumented = documentedAnswers('X-Service');
const organization = exampleOf('/v1/organization');

describe('documentedAnswers: the check of responses against the document', () => {
  it('accepts documented responses, and every response of a path that the document omits', () => {
    isDocumented('GET', '/v1/organization', json(200, organization));
    isDocumented('GET', '/v1/organization?x=1', problemAnswer(401, 'unauthenticated'));
    isDocumented('POST', '/v1/event/site-visited', answer(200, '', { 'x-service-oid': '5214909912345678' }));
    isDocumented('GET', '/healthz', json(418, {}));
  });

  const refused: readonly [what: string, method: string, path: string, answer: SeenAnswer][] = [
    ['an undocumented status', 'GET', '/v1/organization', json(201, organization)],
    ['a problem that is not documented for the call', 'GET', '/v1/organization', problemAnswer(404, 'not-found')],
    ['a code that is not documented for the status', 'GET', '/v1/organization', problemAnswer(403, 'tier-required')],
    ['a field that is not described', 'GET', '/v1/organization', json(200, { ...organization, more: 1 })],
    ['a field of the wrong type', 'GET', '/v1/organization', json(200, { ...organization, id: '1' })],
    ['a field that is missing', 'GET', '/v1/organization', json(200, { id: 1 })],
    [
      'an undocumented content type',
      'GET',
      '/v1/organization',
      json(200, organization, { 'content-type': 'text/html' }),
    ],
    ['a header that is not described', 'GET', '/v1/organization', json(200, organization, { 'x-service-oid': '1' })],
    ['a header that is missing', 'POST', '/v1/event/site-visited', answer(200, '')],
    ['a body in a response that is documented without a body', 'POST', '/v1/event/refund', json(200, {})],
  ];
  for (const [what, method, path, seen] of refused) {
    it(`refuses ${what}`, () => {
      assert.throws(() => isDocumented(method, path, seen), assert.AssertionError);
    });
  }
});

function exampleOf(path: string): Record<string, unknown> {
  const content = servedDocument('X-Service').paths[path]?.['get']?.responses['200']?.content?.['application/json'];
  return (content as unknown as { example: Record<string, unknown> }).example;
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): SeenAnswer {
  return { ...answer(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers }), body };
}

function problemAnswer(status: number, code: Parameters<typeof problem>[0]): SeenAnswer {
  return json(status, problemBody(problem(code)), { 'content-type': 'application/problem+json' });
}

function answer(status: number, text: string, headers: Record<string, string> = {}): SeenAnswer {
  return { status, headers: new Headers(headers), body: undefined, text };
}
