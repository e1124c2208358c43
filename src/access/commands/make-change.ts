import { type AuditEntry, insertAuditEntry, lockResource } from '#organizations/store/audit.ts';
import { lockConfiguration } from '#organizations/store/configuration.ts';
import { asDatabase, type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findKeptAnswer, keepAnswer, takeIdempotencyKey } from '../store/idempotency.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { OrganizationId } from '#core/ids.ts';
import { type Caller, type CallerChange, lockCaller, type CallerPermissions } from './lock-caller.ts';

/**
 * A change that a request makes. `perform` is the request's handler. The other fields are the inputs of the transaction
 * around it.
 */
export type Change<Result> = Omit<AuditEntry, 'before' | 'after'> & {
  readonly organizationId: OrganizationId;
  readonly caller: Caller;
  readonly changesCallers: CallerChange;
  /**
   * The Idempotency-Key under which the response is stored. Undefined if the response is not stored, for example
   * because the request has no key.
   */
  readonly repeat: Repeat | undefined;
  readonly subject: Subject | undefined;
  /** The fields of the resource that the audit record leaves out. */
  readonly hidden: readonly string[];
  /**
   * Makes the change in the transaction if the caller's locked permissions allow it. After a deadlock, which rolls back
   * the transaction, it is called again.
   */
  readonly perform: (
    tenant: Tenant<Database>,
    standing: CallerPermissions,
    before: string | undefined,
  ) => Promise<Performance<Result>>;
};

export type Repeat = {
  /** The SHA-256 of the Idempotency-Key. For a collaborator, the hashed text also contains the caller. */
  readonly keyHash: Buffer;
  /** The SHA-256 of the caller, the method, the URL and the body. */
  readonly fingerprint: Buffer;
  /** Whether the response shows a secret, and is therefore stored encrypted. */
  readonly sealed: boolean;
};

/** The resource that a request changes. */
export type Subject = {
  /**
   * Whether the configuration lock already serializes changes of the resource. Other resources are locked by their
   * path.
   */
  readonly isConfiguration: boolean;
  readonly path: string;
  /** Returns the resource as JSON, or undefined if it doesn't exist. */
  readonly read: (tenant: Tenant<Database>) => Promise<string | undefined>;
};

export type Performance<Result> = {
  readonly result: Result;
  /**
   * The data of a completed change. Absent if the change was refused, or if there was nothing to change. In that case,
   * no audit record and no response are stored.
   */
  readonly done?: {
    readonly before: string | undefined;
    /** The response body in the audit record, as JSON without secrets. Null if the response has no body. */
    readonly after: string | null;
    /** The complete response as text, which is sent again if the request is repeated. */
    readonly answer: string;
  };
};

export type ChangeOutcome<Result> =
  | { readonly kind: 'performed'; readonly result: Result }
  /** The same request was already made, and got the response `answer`. */
  | { readonly kind: 'repeated'; readonly answer: string; readonly standing: CallerPermissions }
  /** The caller's key or session has ended since the request was admitted. */
  | { readonly kind: 'caller-ended' }
  /** The same request was already made, but its response was encrypted with a lost key. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'in-flight' }
  | { readonly kind: 'mismatch' };

export type MakeChange = <Result>(change: Change<Result>) => Promise<ChangeOutcome<Result>>;

/**
 * Returns a function that makes changes. Each change is one transaction with its audit record and its stored response.
 * For a refused change, no response is stored, so the request can be retried with the same Idempotency-Key.
 */
export function createChangeMaker(database: Database, secrets: SecretBox): MakeChange {
  return (change) =>
    inTransaction(database, async (connection) => {
      const { organizationId, caller, changesCallers, repeat, subject } = change;
      const tenant = { connection, organizationId };
      const known = repeat && (await recall(tenant, repeat, secrets));
      const standing = await lockCaller(tenant, caller, changesCallers);
      if (standing === undefined) return { kind: 'caller-ended' };
      if (known !== undefined) return known.kind === 'repeated' ? { ...known, standing } : known;
      const before = subject && (await readLocked(tenant, subject));
      const { result, done } = await change.perform(
        { connection: asDatabase(connection), organizationId },
        standing,
        before,
      );
      // Collaborators can send any number of calls that change nothing. Such calls must not fill the database.
      const isIdle = caller.kind === 'collaborator' && before !== undefined && before === done?.after;
      if (done !== undefined && !isIdle) {
        await audit(connection, change, before ?? done.before ?? null, done.after);
        await keep(connection, change, done.answer, secrets);
      }
      return { kind: 'performed', result };
    });
}

/**
 * Locks an Idempotency-Key until the transaction ends, and returns the outcome of an earlier request with the same key.
 * Returns undefined for a new request, and `in-flight` if another transaction has locked the key.
 */
async function recall(
  tenant: Tenant<Connection>,
  { keyHash, fingerprint }: Repeat,
  secrets: SecretBox,
): Promise<Recalled | undefined> {
  if (!(await takeIdempotencyKey(tenant, keyHash))) return { kind: 'in-flight' };
  const kept = await findKeptAnswer(tenant, keyHash);
  if (kept === undefined) return undefined;
  if (!kept.fingerprint.equals(fingerprint)) return { kind: 'mismatch' };
  if (!kept.sealed) return { kind: 'repeated', answer: kept.answer.toString('utf8') };
  return secrets.sealed(kept.answer) ? { kind: 'repeated', answer: secrets.open(kept.answer) } : { kind: 'lost' };
}

type Recalled =
  { readonly kind: 'repeated'; readonly answer: string } | { readonly kind: 'lost' | 'in-flight' | 'mismatch' };

async function readLocked(
  tenant: Tenant<Connection>,
  { isConfiguration, path, read }: Subject,
): Promise<string | undefined> {
  if (isConfiguration) await lockConfiguration(tenant);
  else await lockResource(tenant, path);
  return read({ ...tenant, connection: asDatabase(tenant.connection) });
}

/** Writes the audit record, unless the call changed nothing. */
async function audit(
  connection: Connection,
  { organizationId, author, operation, path, request, hidden }: Change<unknown>,
  before: string | null,
  after: string | null,
): Promise<void> {
  if (before !== null && before === after) return;
  const entry = { author, operation, path, request, before: without(before, hidden), after: without(after, hidden) };
  await insertAuditEntry({ connection, organizationId }, entry);
}

function without(json: string | null, hidden: readonly string[]): string | null {
  if (json === null || hidden.length === 0) return json;
  const fields = Object.entries(JSON.parse(json) as object).filter(([name]) => !hidden.includes(name));
  return JSON.stringify(Object.fromEntries(fields));
}

async function keep(
  connection: Connection,
  { organizationId, repeat }: Change<unknown>,
  answer: string,
  secrets: SecretBox,
): Promise<void> {
  if (repeat === undefined) return;
  const { keyHash, fingerprint, sealed } = repeat;
  const bytes = sealed ? secrets.seal(answer) : Buffer.from(answer, 'utf8');
  await keepAnswer({ connection, organizationId }, keyHash, { fingerprint, answer: bytes, sealed });
}
