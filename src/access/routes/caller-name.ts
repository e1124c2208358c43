import type { Database } from '#platform/postgres/database.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { people } from '../store/read/people.ts';
import type { Auth } from '#core/auth.ts';

/**
 * Returns the calling person's name for an email that they caused. Returns null for other callers, because the name of
 * an API key means nothing to the recipient.
 */
export async function callerName(database: Database, { organizationId, session }: Auth): Promise<string | null> {
  if (session?.kind !== 'person') return null;
  return (await readOne({ connection: database, organizationId }, people, { id: session.personId }))?.name ?? null;
}
