import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Operation } from '#contract/operation.ts';
import { operations } from '#contract/operations.ts';
import { ROLES, type Role, scopesOf } from '#domain/person.ts';
import { servedDocument } from '#test/support/documented-answers.ts';
import { makePerson, type Member } from '#test/support/people.ts';
import { type Collaborator, FROM_NETWORKS, newNetwork, openMailbox, openPortal } from '#test/support/portal.ts';
import { problemCode } from '#test/support/replies.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';

/*
 * Every call, and who is let in: made from the table of calls, so that a new one can't be forgotten. What is let in and
 * changes something has its own tests; here it is enough that reading is, and that all else is refused before it is looked at.
 */

const CALLS = Object.entries<Operation>(operations);
const document = servedDocument('X-Service');
const UNKNOWN = '8999999';
const PARTNER = 'partner@mugs.example';

/** A body as the document has it. */
function bodyOf({ path, method, body }: Operation): unknown {
  if (body === undefined) return undefined;
  const described = document.paths[path]?.[method.toLowerCase()] as unknown as {
    requestBody: { content: Record<string, { example: unknown }> };
  };
  return described.requestBody.content['application/json']?.example;
}

function pathOf({ path }: Operation): string {
  return path.replaceAll(/\{\w+\}/g, UNKNOWN);
}

describe('who is let in', () => {
  let service: TestService;
  let people: Readonly<Record<Role, Member>>;
  let collaborator: Collaborator;
  before(async () => {
    service = await startService(FROM_NETWORKS);
    const made = await Promise.all(ROLES.map((role) => makePerson(service, role, `${role}@mugs.example`)));
    const { secretKey: key } = service;
    const partner = await service.request('POST', '/v1/collaborators', {
      key,
      body: { name: 'Partner', email: PARTNER },
    });
    assert.equal(partner.status, 201);
    collaborator = await (await openPortal(service, await openMailbox(service), 'mugs', key)).enter(PARTNER);
    people = Object.fromEntries(ROLES.map((role, at) => [role, made[at]])) as Record<Role, Member>;
  });
  after(() => service.stop());

  const send = (operation: Operation, headers: Record<string, string>, key?: string): Promise<Reply> =>
    service.request(operation.method, pathOf(operation), {
      key,
      body: bodyOf(operation),
      headers: { 'x-forwarded-for': newNetwork(), ...headers },
    });
  const refusal = ({ status, ...reply }: Reply): string => `${status} ${problemCode({ status, ...reply })}`;

  for (const [id, operation] of CALLS.filter(([, { open }]) => open !== true)) {
    const { keys, scope } = operation;
    it(`${id}: ${scope}`, async () => {
      const { owner } = people;
      assert.equal(refusal(await send(operation, {})), '401 unauthenticated', 'nobody');
      for (const headers of [
        { cookie: owner.cookie, 'sec-fetch-site': 'cross-site' },
        // Whoever has a token may send it under any name.
        { cookie: owner.cookie.replace('whence=', 'whence-portal='), 'sec-fetch-site': 'same-origin' },
        { cookie: collaborator.cookie.replace('whence-portal=', 'whence='), 'sec-fetch-site': 'same-origin' },
        { cookie: owner.cookie.slice(0, -1), 'sec-fetch-site': 'same-origin' },
      ])
        assert.equal(refusal(await send(operation, headers)), '401 unauthenticated', JSON.stringify(headers));
      if (scope !== 'portal') {
        const headers = { cookie: collaborator.cookie, 'sec-fetch-site': 'same-origin' };
        assert.equal(refusal(await send(operation, headers)), '401 unauthenticated', 'a collaborator');
      }
      if (keys.length === 0) {
        assert.equal(refusal(await send(operation, {}, service.secretKey)), '403 scope-required', 'no key');
      }
      for (const role of ROLES) {
        const headers = { cookie: people[role].cookie, 'sec-fetch-site': 'same-origin' };
        const may = scope === 'account' || (scopesOf(role) as readonly string[]).includes(scope);
        if (scope === 'portal') assert.equal(refusal(await send(operation, headers)), '401 unauthenticated', role);
        else if (!may) assert.equal(refusal(await send(operation, headers)), '403 scope-required', role);
        else if (operation.method === 'GET')
          assert.doesNotMatch(String((await send(operation, headers)).status), /^40[13]/, role);
      }
    });
  }

  for (const [id, operation] of CALLS.filter(([, { open }]) => open === true)) {
    it(`${id}: open to all, and says nothing to caches`, async () => {
      const reply = await send(operation, {});
      if (reply.status >= 400)
        assert.ok(!['unauthenticated', 'scope-required'].includes(problemCode(reply)), reply.text);
      assert.equal(reply.headers.get('cache-control'), 'no-store');
    });
  }
});
