import { type AuditEntry, insertAuditEntry, lockResource } from '#store/audit.ts';
import { lockConfiguration } from '#store/configuration.ts';
import { asDatabase, type Connection, type Database, inTransaction } from '#store/database.ts';
import { findKeptAnswer, keepAnswer, takeIdempotencyKey } from '#store/idempotency.ts';
import type { SecretBox } from '#store/secret-box.ts';
import type { OrganizationId } from '#domain/ids.ts';

/** A call that changes something, as the transaction around its verb has to know it. */
export type Change<Result> = Omit<AuditEntry, 'before' | 'after'> & {
  readonly organizationId: OrganizationId;
  /** Under which the answer is kept; undefined where the caller gave no key. */
  readonly repeat: Repeat | undefined;
  readonly subject: Subject | undefined;
  /** Does it, on the transaction. May be called again after a deadlock, which undid the first time. */
  readonly perform: (database: Database, before: string | undefined) => Promise<Performance<Result>>;
};

export type Repeat = {
  /** SHA-256 of the caller's key, and of the request that it stands for. */
  readonly keyHash: Buffer;
  readonly fingerprint: Buffer;
  /** The answer shows a secret, so it is kept sealed. */
  readonly sealed: boolean;
};

/** What there is already and is to be changed. */
export type Subject = {
  /** Changes of these wait for each other anyway, since they decide; all else waits by its path. */
  readonly isConfiguration: boolean;
  readonly path: string;
  /** The resource as JSON; undefined where there is none. */
  readonly read: (database: Database) => Promise<string | undefined>;
};

export type Performance<Result> = {
  readonly result: Result;
  /** Absent where it was refused: then nothing was changed, and nothing is kept. */
  readonly done?: {
    /** What there was before, as JSON, where it is no subject that was read. */
    readonly before: string | undefined;
    /** What the audit shows of the answer, as JSON. */
    readonly after: string | null;
    /** All that it takes to answer again. */
    readonly answer: string;
  };
};

export type Making<Result> =
  | { readonly kind: 'performed'; readonly result: Result }
  /** It was done before, and answered with this. */
  | { readonly kind: 'repeated'; readonly answer: string }
  /** It was done before, and its answer was sealed with an encryption key that is no longer ours. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'in-flight' }
  | { readonly kind: 'mismatch' };

export type MakeChange = <Result>(change: Change<Result>) => Promise<Making<Result>>;

/**
 * Makes changes, each in one transaction with its entry in the audit and with the answer that is kept for those who send it
 * again: all of it is there, or nothing. A change that is refused leaves nothing, so it may be tried again under the same key.
 */
export function changeMaking(database: Database, secrets: SecretBox): MakeChange {
  return (change) =>
    inTransaction(database, async (connection) => {
      const known = change.repeat && (await recall(connection, change.organizationId, change.repeat, secrets));
      if (known !== undefined) return known;
      const before = change.subject && (await readLocked(connection, change.organizationId, change.subject));
      const { result, done } = await change.perform(asDatabase(connection), before);
      if (done !== undefined) {
        await audit(connection, change, before ?? done.before ?? null, done.after);
        await keep(connection, change, done.answer, secrets);
      }
      return { kind: 'performed', result };
    });
}

/** Undefined where the request is new; its key is ours then until the transaction ends. */
async function recall(
  connection: Connection,
  organizationId: OrganizationId,
  { keyHash, fingerprint }: Repeat,
  secrets: SecretBox,
): Promise<Exclude<Making<never>, { kind: 'performed' }> | undefined> {
  if (!(await takeIdempotencyKey(connection, organizationId, keyHash))) return { kind: 'in-flight' };
  const kept = await findKeptAnswer(connection, organizationId, keyHash);
  if (kept === undefined) return undefined;
  if (!kept.fingerprint.equals(fingerprint)) return { kind: 'mismatch' };
  if (!kept.sealed) return { kind: 'repeated', answer: kept.answer.toString('utf8') };
  return secrets.sealed(kept.answer) ? { kind: 'repeated', answer: secrets.open(kept.answer) } : { kind: 'lost' };
}

async function readLocked(
  connection: Connection,
  organizationId: OrganizationId,
  { isConfiguration, path, read }: Subject,
): Promise<string | undefined> {
  if (isConfiguration) await lockConfiguration(connection, organizationId);
  else await lockResource(connection, organizationId, path);
  return read(asDatabase(connection));
}

/** A call that left everything as it was has changed nothing. */
async function audit(
  connection: Connection,
  { organizationId, author, operation, path, request }: Change<unknown>,
  before: string | null,
  after: string | null,
): Promise<void> {
  if (before !== null && before === after) return;
  await insertAuditEntry(connection, organizationId, { author, operation, path, request, before, after });
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
  await keepAnswer(connection, organizationId, keyHash, { fingerprint, answer: bytes, sealed });
}
