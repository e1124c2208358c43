import { DatabaseError } from 'pg';

/**
 * The SQLSTATEs of a deadlock and a serialization failure. PostgreSQL rolled back the whole transaction, and a retry
 * may succeed.
 */
const RETRYABLE = new Set(['40P01', '40001']);

/**
 * Returns whether the database is at fault instead of the statement. For example, the database is down, starting, full
 * or out of connections, or a time limit was exceeded.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Matches the SQLSTATE classes 08 (connection), 53 (resources: disk, memory, connections), 57 (operator intervention:
  // shutdown, canceled statement) and 58 (system). Also matches a read-only server during a failover (25006), a lock
  // timeout (55P03), and a transaction that was idle for too long (25P03).
  if (/^((08|53|57|58)...|25006|25P03|55P03)$/.test(code)) return true;
  if (/^E[A-Z]+$/.test(code)) return true;
  return isUnresponsive(error) || /connection terminated|not queryable|pool after calling end/i.test(error.message);
}

/**
 * Returns whether the connection failed: either side closed it, the network failed, or the server didn't respond in
 * time.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // The codes 57P01 and 57P02 mean an ended session, and 25P03 means a transaction that was idle for too long.
  if (/^(08...|57P0[12]|25P03|E[A-Z]+)$/.test(code)) return true;
  return isUnanswered(error) || /connection terminated|not queryable/i.test(error.message);
}

/** Returns whether the driver's timeout for a statement passed without a response. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Returns whether a statement got no response in time, or the pool had no free or new connection in time. */
export function isUnresponsive(error: unknown): boolean {
  return (
    isUnanswered(error) || (error instanceof Error && error.message.includes('timeout exceeded when trying to connect'))
  );
}

/**
 * Returns whether the server canceled a statement, for example because of its time limit. The statement was rolled
 * back.
 */
export function isCanceled(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '57014';
}

/** Returns whether a statement waited too long for a lock and was rolled back. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '55P03';
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.code === '23505' && error.constraint === constraint;
}

/** Returns whether the same transaction may succeed if it is run again. */
export function isRetryable(error: unknown): boolean {
  return error instanceof DatabaseError && RETRYABLE.has(error.code ?? '');
}
