import type { Reply } from '#test/support/service.ts';
import { type Attempt, bytesOf, urlOf } from './attempt.ts';
import { isEntitled } from './credential.ts';
import type { Call, Interface } from './interface.ts';
import { faultsOfWrites } from './judges/refusals.ts';
import { faultsOfTenant } from './judges/tenants.ts';
import type { Write } from './judges/writes.ts';

/** A fault in a response: its kind, and what was observed. */
export type Fault = { readonly kind: FaultKind; readonly says: string };

export type FaultKind =
  | 'no-answer'
  | 'failed'
  | 'undocumented'
  | 'no-problem'
  | 'says-too-much'
  | 'foreign'
  | 'let-in'
  | 'shut-out'
  | 'wrong-allow'
  | 'unknown-path'
  | 'refused-but-written'
  | 'read-but-written'
  | 'forbidden-but-taken';

export type FaultOptions = {
  readonly interface: Interface;
  /** Throws if the document does not describe the response. */
  readonly isDocumented: (method: string, path: string, reply: Reply) => void;
  /** A text in the names of the other organization's resources, which must never be visible. */
  readonly foreignMark: string;
};

/** Returns all faults of a response to any request. Returns an empty array if the response is as required. */
export function faultsOf(judging: FaultOptions, attempt: Attempt, reply: Reply, writes: readonly Write[]): Fault[] {
  const faults: Fault[] = [];
  const add = (kind: FaultKind, says: string): void => void faults.push({ kind, says });
  const { status, text } = reply;
  if (status >= 500) add('failed', `${status} ${text.slice(0, 300)}`);
  for (const says of [undocumentedText(judging, attempt, reply)]) if (says !== undefined) add('undocumented', says);
  if (status >= 400 && !isProblem(attempt, reply)) add('no-problem', `${status} ${text.slice(0, 300)}`);
  const inside = status >= 400 ? INSIDE.exec(text)?.[0] : undefined;
  if (inside !== undefined) add('says-too-much', inside);
  faults.push(...faultsOfTenant(judging.foreignMark, reply));
  for (const fault of faultsOfWrites(attempt, callOf(judging, attempt), status, writes)) faults.push(fault);
  // Node sends a 431 before the service has read the request, so further checks don't apply.
  if (status === 431) return faults;
  const resource = judging.interface.at(decodePath(attempt.path));
  const call = resource?.calls.get(attempt.method === 'HEAD' ? 'GET' : attempt.method);
  if (resource === undefined) {
    if (status < 400 && attempt.path.startsWith('/v1/')) add('unknown-path', String(status));
  } else if (call !== undefined) faults.push(...faultsOfCall(call, attempt, reply));
  else if (!resource.methods.includes(attempt.method)) {
    const allow = reply.headers.get('allow') ?? '';
    const isSame = [...resource.methods].sort().join() === allow.split(', ').sort().join();
    if (status !== 405 || !isSame) add('wrong-allow', `${status} Allow: ${allow}`);
  }
  return faults;
}

/** Returns the faults that depend on the call: wrong access, and an invalid body that was accepted. */
function faultsOfCall(call: Call, attempt: Attempt, { status, text, body }: Reply): Fault[] {
  const { credential } = attempt;
  const code = (body as { code?: string } | undefined)?.code ?? '';
  const isShut = (status === 401 || status === 403) && (DOOR_CODES.has(code) || attempt.method === 'HEAD');
  const says = `${status} ${code} for ${credential.name} at ${call.id}`;
  if (!isEntitled(call, credential)) {
    const isRight = credential.scheme === 'none' ? status === 401 : isShut;
    return isRight || status === 429 || status === 431 ? [] : [{ kind: 'let-in', says }];
  }
  if (isShut && code !== 'origin-not-allowed' && !(GRANTING.has(call.id) && code === 'scope-required'))
    return [{ kind: 'shut-out', says }];
  if (status >= 300 || call.body === undefined) return [];
  const sent = bytesOf(attempt.body);
  if (sent.length === 0 || call.allowsBody(JSON.parse(Buffer.from(sent).toString()))) return [];
  return [{ kind: 'forbidden-but-taken', says: `${status} ${text.slice(0, 200)}` }];
}

/**
 * Calls that grant or revoke permissions. A caller can't grant or revoke more than its own permissions, so even a
 * caller with access may get `scope-required`.
 */
const GRANTING = new Set([
  'createApiKey',
  'changeApiKey',
  'rotateApiKey',
  'createInvitation',
  'changePerson',
  'removePerson',
]);

const DOOR_CODES = new Set(['unauthenticated', 'scope-required', 'tier-required', 'origin-not-allowed']);

/**
 * Internals of the service that no error response may contain. No request contains them, so echoed input never matches.
 */
const INSIDE =
  /node_modules|\.ts:\d+|\bat \w+ \(|FST_ERR|ERR_[A-Z]|syntax error at|violates \w+ constraint|insert into |pg_/;

function undocumentedText({ isDocumented }: FaultOptions, attempt: Attempt, reply: Reply): string | undefined {
  if (reply.status === 431) return undefined;
  try {
    isDocumented(attempt.method, urlOf(attempt), reply);
    return undefined;
  } catch (error) {
    return (error as Error).message.slice(0, 800);
  }
}

/**
 * Returns whether an error response is a valid problem. Always returns true for HEAD and for paths outside of `/v1/`,
 * because their error responses needn't be problems.
 */
function isProblem({ method, path }: Attempt, { status, headers, body }: Reply): boolean {
  if (method === 'HEAD' || !path.startsWith('/v1/')) return true;
  const problem = body as { status?: number; code?: string } | undefined;
  const isOne = headers.get('content-type') === 'application/problem+json';
  return isOne && problem?.status === status && typeof problem.code === 'string';
}

function callOf(judging: FaultOptions, { path, method }: Attempt): Call | undefined {
  return judging.interface.at(path)?.calls.get(method);
}

/**
 * Returns the path as the router reads it, with unneeded escapes decoded. Returns an empty string if an escape is
 * invalid.
 */
export function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return '';
  }
}
