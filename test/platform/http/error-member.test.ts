import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { exchange, rawRequest } from '../../support/raw-http.ts';
import { type Reply, startService, type TestService } from '../../support/service.ts';

type ErrorMember = { readonly message: string; readonly code: string; readonly data: Record<string, string> };
type Problem = {
  readonly detail: string;
  readonly code: string;
  readonly errors?: readonly { pointer: string; detail: string }[];
  readonly error: ErrorMember;
};

describe('the `error` member of an error response', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const sale = async (body: unknown) =>
    problemOf(await service.request('POST', '/v1/event/sale', { key: service.secretKey, body }));

  it('has the message, the code and the details by field', async () => {
    const { detail, code, error, errors = [] } = await sale({ source: 'shop', total: 'x', trackingId: 1 });
    assert.deepEqual([error.message, error.code], [detail, code]);
    assert.deepEqual(Object.keys(error.data).toSorted(), ['externalId', 'total']);
    for (const fault of errors) assert.equal(error.data[fault.pointer.slice(1)], fault.detail);
  });

  it('names a nested field by its path with dots', async () => {
    const items = [{ externalId: 'a', amount: 1 }];
    const { error } = await sale({ source: 'shop', externalId: 'a', total: 1, trackingId: 1, items });
    assert.deepEqual(error.data, { 'items.0.name': 'This field is required.' });
  });

  it('has empty data if no field is at fault', async () => {
    const { error } = problemOf(await service.request('GET', '/v1/programs'));
    assert.deepEqual([error.code, error.data], ['unauthenticated', {}]);
  });

  it('is present in the error response to an invalid HTTP request', async () => {
    const { text } = await exchange(service.url, rawRequest('GET /healthz', ['Host: a', 'Host: b']));
    const { error } = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as Problem;
    assert.deepEqual([error.code, error.data], ['bad-request', {}]);
  });

  it('is returned together with the submitted fields if a refund’s sale is unknown', async () => {
    const body = { source: 'shop', externalId: 'unknown' };
    const reply = await service.request('POST', '/v1/event/refund', { key: service.secretKey, body });
    const { error, ...echoed } = reply.body as ErrorMember & { error: ErrorMember; source: string; externalId: string };
    assert.deepEqual([echoed.source, echoed.externalId, error.code], ['shop', 'unknown', 'sale-not-found']);
  });
});

function problemOf({ body }: Reply): Problem {
  return body as Problem;
}
