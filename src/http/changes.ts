import { hash } from 'node:crypto';
import { jsonText } from '#contract/json-text.ts';
import type { Operation } from '#contract/operation.ts';
import { takesIdempotencyKey, takesIfMatch } from '#contract/operation.ts';
import { type Problem, problem } from '#contract/problem.ts';
import type { Change, MakeChange, Making, Performance, Repeat, Subject } from '#operations/make-change.ts';
import type { Database } from '#store/database.ts';
import { entityTag, namesTag } from './entity-tags.ts';
import type { Answer, Handler, OperationRequest } from './handler.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { parseJson } from './json.ts';
import { RETRY_AFTER_S } from './replies.ts';

type Table = Readonly<Record<string, Operation>>;
type Request = OperationRequest<Operation>;

/** Answers a call that changes something; `bytes` are its body as it came. */
export type AnswerChange = (id: string, request: Request, bytes: Buffer) => Promise<Answer | Problem>;

/** Whether a call goes through here: reports come in batches of their own, and some POSTs only ask. */
export function isChange({ method, repeats }: Operation): boolean {
  return method !== 'GET' && repeats === undefined;
}

/**
 * Answers changes, each as one transaction around its handler: what was answered under the same Idempotency-Key, the
 * check of If-Match, the handler, the audit. `handlersOn` makes the handlers on the transaction.
 */
export function changeAnswering<Operations extends Table>(
  operations: Operations,
  makeChange: MakeChange,
  handlersOn: (database: Database) => Readonly<Record<keyof Operations, unknown>>,
): AnswerChange {
  const readers = readersOf(operations);
  return async (id, request, bytes) => {
    const operation = operations[id] as Operation;
    const repeat = repeatOf(operation, request, bytes);
    if (repeat !== undefined && 'kind' in repeat) return repeat;
    const handlerOf = (database: Database, of: string) => handlersOn(database)[of] as Handler<Operation>;
    return answerOf(await makeChange(changeOf(repeat)));

    function changeOf(repeat: Repeat | undefined): Change<Answer | Problem> {
      const { organizationId, author } = request.auth;
      const path = pathOf(operation, request);
      const json = requestedOf(operation, request);
      return { organizationId, author, operation: id, path, request: json, repeat, subject: subjectOf(), perform };
    }

    function subjectOf(): Subject | undefined {
      const reader = readers.get(id);
      if (reader === undefined) return undefined;
      const resource = operations[reader] as Operation;
      return {
        isConfiguration: resource.versioned === true,
        path: pathOf(resource, request),
        read: async (database) => shownBy(await handlerOf(database, reader)({ ...request, body: undefined })),
      };
    }

    async function perform(database: Database, before: string | undefined): Promise<Performance<Answer | Problem>> {
      const refusal = staleness(operation, request, before);
      if (refusal !== undefined) return { result: refusal };
      const result = await handlerOf(database, id)(request);
      if (result.kind === 'problem') return { result };
      const { before: were, ...answer } = result;
      const done = { before: were && jsonText(were), after: auditedOf(operation, answer), answer: jsonText(answer) };
      return { result: answer, done };
    }
  };
}

/**
 * For each change of something that is there, the call that reads it: `GET` of the same path, or, for
 * `POST /v1/payouts/{id}/mark-paid`, of what stands before the verb. Creations read nothing; calls over many
 * say themselves what each was.
 */
function readersOf(operations: Table): ReadonlyMap<string, string> {
  const gets = new Map(
    Object.entries(operations).flatMap(([id, { method, path }]) => (method === 'GET' ? [[path as string, id]] : [])),
  );
  return new Map(
    Object.entries(operations).flatMap(([id, operation]) => {
      const reader = isChange(operation) ? gets.get(subjectPath(operation)) : undefined;
      return reader === undefined ? [] : [[id, reader]];
    }),
  );
}

function subjectPath({ method, path, success }: Operation): string {
  if (method !== 'POST') return path;
  const owner = path.slice(0, path.lastIndexOf('/'));
  return success.status === 200 && owner.endsWith('}') ? owner : '';
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
  // A key of the API sees its own answers only: another one may not be allowed what they show.
  const asked = `${caller} ${operation.method} ${request.url}\n`;
  return {
    // The merchant's systems and people share theirs; a collaborator must not take one that these will come with.
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

/** 412 where the resource is no longer what the caller has read. One that isn't there is the handler's to tell. */
function staleness(operation: Operation, request: Request, before: string | undefined): Problem | undefined {
  const expected = takesIfMatch(operation) ? request.header('if-match') : undefined;
  if (expected === undefined || before === undefined || namesTag(expected, entityTag(before))) return undefined;
  return problem('precondition-failed', 'It was changed since you read it: read it again, and decide anew.');
}

/** The request's body without the secrets that it takes. */
function requestedOf({ body, takesSecret = [] }: Operation, { sent }: Request): string | null {
  return body === undefined ? null : without(sent, takesSecret);
}

/** The answer's body without the secrets that it shows this once. */
function auditedOf({ showsSecret = [] }: Operation, { body }: Answer): string | null {
  return body === undefined ? null : without(body, typeof showsSecret === 'string' ? [showsSecret] : showsSecret);
}

function without(body: unknown, secrets: readonly string[]): string {
  if (secrets.length === 0) return jsonText(body);
  return jsonText({ ...(body as object), ...Object.fromEntries(secrets.map((name) => [name, undefined])) });
}

function answerOf(making: Making<Answer | Problem>): Answer | Problem {
  switch (making.kind) {
    case 'performed':
      return making.result;
    case 'repeated':
      return repeated(making.answer);
    case 'lost':
      return LOST;
    case 'in-flight':
      return IN_FLIGHT;
    case 'mismatch':
      return problem(
        'idempotency-mismatch',
        'Take a new key for a new request; the same key stands for the same bytes.',
      );
    default:
      return making satisfies never;
  }
}

const IN_FLIGHT = problem('idempotency-in-flight', 'It is being worked on: ask again in a moment.', {
  headers: { 'retry-after': String(RETRY_AFTER_S) },
});

const LOST = problem(
  'idempotency-answer-lost',
  'It was done, once. Its answer shows a secret, and the service’s encryption key was changed since: look for what was ' +
    'made in its list, rotate its secret under another key, or delete it.',
);

/** Numbers stay as they were written, so the bytes of the answer are the same. */
function repeated(text: string): Answer {
  const { status, ...answer } = parseJson(Buffer.from(text)) as unknown as Omit<Answer, 'status'> & {
    readonly status: { readonly text: string };
  };
  return {
    ...answer,
    status: Number(status.text),
    headers: { ...answer.headers, 'idempotent-replayed': 'true' },
  };
}
