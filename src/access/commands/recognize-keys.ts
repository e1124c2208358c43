import type { Database } from '#platform/postgres/database.ts';
import { retryStatement } from '#platform/postgres/database.ts';
import { type FoundKey, recognizeKeys as recognize } from '../store/api-keys.ts';
import { type FoundSession, recognizeSessions as recognizeTokens } from '../store/sessions.ts';

/** Returns the valid API keys with the given SHA-256 hashes. Records their use, to the minute. */
export function recognizeKeys(database: Database, hashes: readonly Buffer[]): Promise<FoundKey[]> {
  return retryStatement(() => recognize(database, hashes));
}

/** Returns the valid sessions with the given SHA-256 hashes. Records their use, to the minute. */
export function recognizeSessions(database: Database, hashes: readonly Buffer[]): Promise<FoundSession[]> {
  return retryStatement(() => recognizeTokens(database, hashes));
}
