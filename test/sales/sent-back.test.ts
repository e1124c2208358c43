import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { keysOf, type Operation } from '#core/contract/operation.ts';
import { operations } from '#app/operations.ts';
import { makePerson } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

/**
 * The request bodies that create resources, by collection path. Resources without an id in their path need no body,
 * because they always exist.
 */
const CREATION_BODIES: Readonly<Record<string, object>> = {
  '/v1/api-keys': { label: 'Mine', scopes: ['events:write'], expiresAt: '2100-01-01T00:00:00Z' },
  '/v1/collaborators': { name: 'Ada', userId: 7, aliases: [{ type: 'tracking', code: 'ada' }] },
  '/v1/programs': { name: 'P', reward: { type: 'percent', percent: 12.5 }, capPerOrder: 500, minimumOrder: 10 },
  '/v1/program-groups': { name: 'G', rule: 'newest', programIds: [] },
  '/v1/materials': { title: 'Post', text: 'Mugs: {link}', licenseNote: 'Unchanged' },
  '/v1/connectors': { kind: 'stripe', name: 'Mine', secret: 'whsec_mine', settings: { awaitCheckoutHours: 4 } },
  '/v1/webhooks': { url: 'https://mine.example/', events: ['payout.paid'] },
};
/** Functions that create resources whose collection has no POST operation, by collection path. */
const CREATORS: Readonly<Record<string, (service: TestService) => Promise<{ readonly id: number }>>> = {
  '/v1/people': (service) => makePerson(service, 'viewer', 'ada@people.example'),
};
/** The paths of all PATCH operations with an API key. Changes to one’s own account have separate tests. */
const PATCH_PATHS = Object.values<Operation>(operations)
  .filter((operation) => operation.method === 'PATCH' && keysOf(operation).length > 0)
  .map(({ path }) => path);

describe('a resource that is sent back unchanged', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const call = async (method: string, path: string, body?: object) => {
    const reply = await service.request(method, path, { key: service.secretKey, body });
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
    return reply.body as Record<string, unknown>;
  };

  const ids = new Map<string, string>();
  /** Returns the id of a resource in a collection. The first call for a collection creates the resource. */
  const idIn = async (collection: string) => {
    const known = ids.get(collection);
    if (known !== undefined) return known;
    const made =
      (await CREATORS[collection]?.(service)) ?? (await call('POST', collection, CREATION_BODIES[collection]));
    const id = String((made as { readonly id: number }).id);
    ids.set(collection, id);
    return id;
  };

  for (const path of PATCH_PATHS) {
    it(`PATCH ${path} ignores read-only and unknown fields`, async () => {
      const [collection = ''] = path.split('/{id}');
      const one = path.includes('{id}') ? path.replace('{id}', await idIn(collection)) : path;
      const read = await call('GET', one);
      const audited = () => call('GET', '/v1/audit-entries');
      const before = await audited();
      assert.deepEqual(await call('PATCH', one, { ...read, unheardOf: 1 }), read);
      assert.deepEqual(await audited(), before, 'nothing was changed');
    });
  }
});
