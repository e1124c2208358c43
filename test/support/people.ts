import assert from 'node:assert/strict';
import { newNetwork } from './portal.ts';
import type { Reply, TestService } from './service.ts';

/** The password of all test users. It is long enough for every role. */
export const PASSWORD = 'copper kettle under snow';

export type Member = {
  readonly id: number;
  readonly email: string;
  /** The cookie as a browser sends it. */
  readonly cookie: string;
  /** Sends a call with the person's session, as the console does. */
  readonly call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;
  /** Sends a call with the person's session and asserts that it succeeds. */
  readonly must: <Body>(method: string, path: string, body?: unknown) => Promise<Body>;
};

type Service = Pick<TestService, 'request'>;

/** Invites a person with an API key, accepts the invitation, and returns the logged-in member. */
export async function makePerson(
  service: Service & Pick<TestService, 'secretKey'>,
  role: 'owner' | 'manager' | 'viewer',
  email: string,
  key: string = service.secretKey,
): Promise<Member> {
  const token = await invite(service, key, role, email);
  return loggedInMember(service, await accept(service, token, email));
}

/** Creates an invitation and returns the token of its link. */
export async function invite(service: Service, key: string, role: string, email: string): Promise<string> {
  const made = await service.request('POST', '/v1/invitations', { key, body: { email, role } });
  assert.equal(made.status, 201, made.text);
  return tokenIn((made.body as { url: string }).url);
}

export function accept(service: Service, token: string, email: string, password = PASSWORD): Promise<Reply> {
  const name = email.split('@')[0];
  return service.request('POST', '/v1/invitations/accept', {
    body: { token, name, email, password },
    headers: ownNetwork(),
  });
}

export function logIn(service: Service, email: string, password = PASSWORD, code?: string): Promise<Reply> {
  return service.request('POST', '/v1/sessions', { body: { email, password, code }, headers: ownNetwork() });
}

/**
 * Returns headers for a call from a new network. If the service trusts this machine as a proxy, each call has
 * separate rate limits.
 */
function ownNetwork(): Readonly<Record<string, string>> {
  return { 'x-forwarded-for': newNetwork() };
}

/** Returns the member whose login or accepted invitation got the given answer. */
export function loggedInMember(service: Service, opened: Reply): Member {
  assert.equal(opened.status, 201, opened.text);
  const cookie = cookieIn(opened);
  const { person } = opened.body as { person: { id: number; email: string } };
  const call: Member['call'] = (method, path, body, headers = {}) =>
    service.request(method, path, { body, headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers } });
  return {
    id: person.id,
    email: person.email,
    cookie,
    call,
    must: async (method, path, body) => {
      const reply = await call(method, path, body);
      assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
      return reply.body as never;
    },
  };
}

export function cookieIn({ headers }: Reply): string {
  const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  assert.match(cookie, /^(__Host-)?whence=[\w-]{43}$/);
  return cookie;
}

export function tokenIn(link: string): string {
  const token = link.split('#')[1] ?? '';
  assert.match(token, /^[\w-]{43}$/);
  return token;
}
