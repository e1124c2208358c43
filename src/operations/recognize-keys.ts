import type { Database } from '#store/database.ts';
import { retried } from '#store/database.ts';
import { type FoundKey, recognizeKeys as recognize } from '#store/api-keys.ts';
import { type FoundSession, recognizeSessions as recognizeTokens } from '#store/sessions.ts';

/** The valid keys among these SHA-256 hashes; notes, to the minute, that they were used. */
export function recognizeKeys(database: Database, hashes: readonly Buffer[]): Promise<FoundKey[]> {
  return retried(() => recognize(database, hashes));
}

/** The sessions that hold among these SHA-256 hashes; notes, to the minute, that they were used. */
export function recognizeSessions(database: Database, hashes: readonly Buffer[]): Promise<FoundSession[]> {
  return retried(() => recognizeTokens(database, hashes));
}
