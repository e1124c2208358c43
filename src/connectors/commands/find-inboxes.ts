import type { ConnectorId } from '#core/ids.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Queryable } from '#platform/postgres/database.ts';
import { findInbox, type Inbox } from '../store/connectors.ts';

/** A connector that receives messages, with its secret in plain text. Null: every signature is invalid. */
export type OpenInbox = Omit<Inbox, 'secret'> & { readonly secret: string | null };

export type FindInbox = (id: ConnectorId) => Promise<OpenInbox | undefined>;

/** How long a lookup is cached, in milliseconds. Other processes see a new secret or a deletion after this time. */
const FRESH_MS = 500;
const MAX_CACHED = 1_000;

/**
 * Returns a cached lookup of connectors, so that a flood of messages to one connector costs two queries a second.
 * Unknown ids are cached as well.
 */
export function createInboxFinder(
  connection: Queryable,
  secrets: Pick<SecretBox, 'open'>,
  now: () => number = () => performance.now(),
): FindInbox {
  const cache = new Map<ConnectorId, { readonly found: Promise<OpenInbox | undefined>; readonly freshUntil: number }>();
  return (id) => {
    const cached = cache.get(id);
    if (cached !== undefined && now() < cached.freshUntil) return cached.found;
    if (cache.size >= MAX_CACHED) cache.clear();
    const found = findInbox(connection, id).then(
      (inbox) => inbox && { ...inbox, secret: inbox.secret && secrets.open(inbox.secret) },
    );
    cache.set(id, { found, freshUntil: now() + FRESH_MS });
    // A failed lookup is repeated by the next message.
    found.catch(() => cache.delete(id));
    return found;
  };
}
