import type { Database } from '#store/database.ts';
import { readOne } from '#store/read/page.ts';
import { people } from '#store/read/people.ts';
import type { Auth } from './authentication.ts';

/** As a mail names who had it sent; a key has no name that would say anything to others. */
export async function callerName(database: Database, { organizationId, session }: Auth): Promise<string | null> {
  if (session?.kind !== 'person') return null;
  return (await readOne(database, organizationId, people, { id: session.personId }))?.name ?? null;
}
