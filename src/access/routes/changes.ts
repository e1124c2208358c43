import { hash } from 'node:crypto';
import { z } from 'zod';
import { jsonText } from '#core/contract/json-text.ts';
import { MAX_AUDITED_REQUEST } from '#organizations/store/audit.ts';
import { type Operation, takesIdempotencyKey, canHaveIfMatch } from '#core/contract/operation.ts';
import { type Problem, problem } from '#core/contract/problem.ts';
import type { ApiKeyId } from '#core/ids.ts';
import { type Caller, type CallerChange, type CallerPermissions, lockCaller } from '../commands/lock-caller.ts';
import type { Change, MakeChange, ChangeOutcome, Performance, Repeat, Subject } from '../commands/make-change.ts';
import type { Connection, Database } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { authorityRefusal, staleLoginRefusal, unauthenticatedProblem } from '#platform/http/admission.ts';
import { entityTag, namesTag } from '#platform/http/entity-tags.ts';
import type { Answer, AnswerChange, Handler, Handlers, OperationRequest } from '#platform/http/handler.ts';
import { readIdempotencyKey } from '#platform/http/idempotency-key.ts';
import { parseJson } from '#platform/json.ts';
import { RETRY_AFTER_S } from '#platform/http/replies.ts';
import type { Auth } from '#core/auth.ts';

type Table = Readonly<Record<string, Operation>>;
type Request = OperationRequest<Operation>;

/**
 * Returns a function that runs changes and returns their responses. Each change runs in one transaction, which looks up
 * the Idempotency-Key, checks If-Match, calls the handler, and stores the audit record and the response. The handler's
 * `tenant` uses the connection of the transaction.
 */
export function createChangeAnswerer<Operations extends Table>(
  operations: Operations,
  makeChange: MakeChange,
  handlers: Handlers<Operations>,
): AnswerChange {
  const handlersOf = new Map(Object.entries(operations).map(([id, operation]) => [operation, handlers[id]]));
  const handlerOf = (operation: Operation) => handlersOf.get(operation) as Handler<Operation>;
  return async (id, request, bytes) => {
    const operation = operations[id] as Operation;
    const repeat = repeatOf(operation, request, bytes);
    if (repeat !== undefined && 'kind' in repeat) return repeat;
    return answerOf(operation, request, await makeChange(changeOf(repeat)));

    function changeOf(repeat: Repeat | undefined): Change<Answer | Problem> {
      const { organizationId, author } = request.auth;
      const path = pathOf(operation, request);
      const json = requestedOf(operation, request);
      const caller = callerOf(request.auth);
      const changesCallers = CALLER_CHANGES[operation.scope] ?? 'none';
      const { hidden = [] } = operation;
      const entry = { organizationId, author, operation: id, path, request: json, hidden };
      return { ...entry, caller, changesCallers, repeat, subject: subjectOf(), perform };
    }

    function subjectOf(): Subject | undefined {
      const { reader } = operation;
      if (reader === undefined) return undefined;
      return {
        isConfiguration: reader.versioned === true,
        path: pathOf(reader, request),
        read: async (tenant) => shownBy(await handlerOf(reader)({ ...request, tenant, body: undefined })),
      };
    }

    async function perform(
      tenant: Tenant<Database>,
      standing: CallerPermissions,
      before: string | undefined,
    ): Promise<Performance<Answer | Problem>> {
      const auth = withStanding(request.auth, standing);
      const refusal =
        authorityRefusal(operation, auth) ??
        staleEditProblem(operation, request, before) ??
        (changesFreshField(operation, request, before) ? staleLoginRefusal(auth) : undefined);
      if (refusal !== undefined) return { result: refusal };
      const result = await handlerOf(operation)({ ...request, auth, tenant });
      if (result.kind === 'problem') return { result };
      const { before: were, isUnchanged, ...answer } = result;
      if (isUnchanged === true) return { result: answer };
      const done = { before: were && jsonText(were), after: auditedOf(operation, answer), answer: jsonText(answer) };
      return { result: answer, done };
    }
  };
}

/**
 * Reads and locks the caller's permissions in the transaction of a call that is not a change, but has lasting effects.
 * Returns a problem if the caller may no longer make the call.
 */
export async function lockAuthority(
  tenant: Tenant<Connection>,
  operation: Operation,
  auth: Auth,
): Promise<Problem | undefined> {
  const standing = await lockCaller(tenant, callerOf(auth), 'none');
  if (standing === undefined) return unauthenticatedProblem(operation);
  return authorityRefusal(operation, withStanding(auth, standing));
}

/**
 * The people and API keys that operations can change, by scope. Operations with other scopes can't change people or
 * keys.
 */
const CALLER_CHANGES: Readonly<Partial<Record<Operation['scope'], CallerChange>>> = {
  account: 'own-account',
  'people:write': 'any',
  'keys:write': 'any',
};

function callerOf({ keyId, session }: Auth): Caller {
  if (session !== undefined) return { ...session, sessionId: session.id };
  return { kind: 'key', keyId: keyId as ApiKeyId };
}

/**
 * Returns the caller with the permissions read in the transaction, instead of the permissions cached when the request
 * arrived.
 */
function withStanding(auth: Auth, { scopes, isFresh }: CallerPermissions): Auth {
  return { ...auth, scopes, ...(auth.session === undefined ? {} : { session: { ...auth.session, isFresh } }) };
}

function pathOf({ path }: Operation, request: Request): string {
  const params = request.params as Readonly<Record<string, unknown>> | undefined;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params?.[name]));
}

function repeatOf(operation: Operation, request: Request, bytes: Buffer): Repeat | Problem | undefined {
  if (!takesIdempotencyKey(operation)) return undefined;
  const key = readIdempotencyKey(request.header('idempotency-key'));
  if (typeof key !== 'string') return key;
  const { caller, session } = request.auth;
  // Include the caller in the fingerprint, so that an API key only gets its own stored responses. Another key may lack
  // the permission to see them.
  const asked = `${caller} ${operation.method} ${request.url}\n`;
  return {
    // The merchant's systems and people share one set of Idempotency-Keys. The keys of each collaborator are separate,
    // so that a collaborator can't use up a key that the merchant will send.
    keyHash: sha256(session?.kind === 'collaborator' ? `${caller}\n${key}` : key),
    fingerprint: sha256(Buffer.concat([Buffer.from(asked), bytes])),
    sealed: operation.showsSecret !== undefined,
  };
}

function sha256(of: string | Buffer): Buffer {
  return hash('sha256', of, 'buffer');
}

function shownBy(answer: Answer | Problem): string | undefined {
  return answer.kind === 'problem' ? undefined : jsonText(answer.body);
}

/**
 * Returns a 412 if the resource has changed since the caller read it, or else undefined. Also returns undefined for a
 * missing resource, which the handler reports.
 */
function staleEditProblem(operation: Operation, request: Request, before: string | undefined): Problem | undefined {
  const expected = canHaveIfMatch(operation) ? request.header('if-match') : undefined;
  if (expected === undefined || before === undefined || namesTag(expected, entityTag(before))) return undefined;
  return problem('precondition-failed', 'The resource has changed. Fetch it again and retry.');
}

/**
 * Returns whether the body changes a field that needs a recent login. Sending the current value again doesn't count as
 * a change. Returns false for operations that always need a recent login, because `authorityRefusal` checks them.
 */
function changesFreshField({ fresh }: Operation, { body }: Request, before: string | undefined): boolean {
  if (fresh === undefined || fresh === true || before === undefined) return false;
  const shown = JSON.parse(before) as Fields;
  return fresh.some((name) => !isAsShown((body as Fields)[name], shown[name]));
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns whether `given` is absent or equals `shown`. `shown` can have more fields. A list in `given` also counts as
 * equal if it only lacks elements of the list in `shown`. For example, removing events from a webhook, or origins from
 * a portal, needs no recent login.
 */
function isAsShown(given: unknown, shown: unknown): boolean {
  if (given === undefined || given === shown) return true;
  if (Array.isArray(given) && Array.isArray(shown)) return given.every((entry) => shown.includes(entry));
  if (typeof given !== 'object' || typeof shown !== 'object' || given === null || shown === null) return false;
  return Object.entries(given).every(([name, value]) => isAsShown(value, (shown as Fields)[name]));
}

/**
 * Returns the request body as JSON without the secrets that the operation takes, or null for an operation without a
 * body. A long body is replaced by its length. For collaborators, only known fields are kept, so that a collaborator
 * can't fill the audit log.
 */
function requestedOf({ body, scope, takesSecret = [] }: Operation, { sent, bodyBytes }: Request): string | null {
  if (body === undefined) return null;
  if (bodyBytes > MAX_AUDITED_REQUEST) return jsonText({ omitted: `The request had ${bodyBytes} bytes.` });
  const fields = scope === 'portal' && body instanceof z.ZodPipe ? body.out : undefined;
  const isUnknown = (name: string): boolean => fields instanceof z.ZodObject && !Object.hasOwn(fields.shape, name);
  return omitSecrets(sent, [...takesSecret, ...Object.keys(sent as object).filter(isUnknown)]);
}

/**
 * Returns the response body as JSON without the secrets that it shows once. Returns null if the response has no body.
 */
function auditedOf({ showsSecret = [] }: Operation, { body }: Answer): string | null {
  return body === undefined ? null : omitSecrets(body, typeof showsSecret === 'string' ? [showsSecret] : showsSecret);
}

function omitSecrets(body: unknown, secrets: readonly string[]): string {
  if (secrets.length === 0) return jsonText(body);
  return jsonText({ ...(body as object), ...Object.fromEntries(secrets.map((name) => [name, undefined])) });
}

function answerOf(operation: Operation, { auth }: Request, making: ChangeOutcome<Answer | Problem>): Answer | Problem {
  switch (making.kind) {
    case 'performed':
      return making.result;
    case 'repeated':
      return authorityRefusal(operation, withStanding(auth, making.standing)) ?? repeatedAnswer(making.answer);
    case 'caller-ended':
      return unauthenticatedProblem(operation);
    case 'lost':
      return LOST;
    case 'in-flight':
      return IN_FLIGHT;
    case 'mismatch':
      return problem(
        'idempotency-mismatch',
        'This Idempotency-Key was used for another request. Use a new key for a new request.',
      );
    default:
      return making satisfies never;
  }
}

const IN_FLIGHT = problem('idempotency-in-flight', 'This request is still being processed. Retry in a moment.', {
  headers: { 'retry-after': String(RETRY_AFTER_S) },
});

const LOST = problem(
  'idempotency-answer-lost',
  'The request was carried out. Its response contains a secret that can’t be decrypted, because the service’s ' +
    'encryption key has changed. Find the new resource in its list. Then rotate its secret with another ' +
    'Idempotency-Key, or delete the resource.',
);

/** Returns a stored response. Numbers keep their notation, so the body has the same bytes as in the first response. */
function repeatedAnswer(text: string): Answer {
  const { status, ...answer } = parseJson(Buffer.from(text)) as unknown as Omit<Answer, 'status'> & {
    readonly status: { readonly text: string };
  };
  return {
    ...answer,
    status: Number(status.text),
    headers: { ...answer.headers, 'idempotent-replayed': 'true' },
  };
}
