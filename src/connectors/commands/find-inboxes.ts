import type { ConnectorId, OrganizationId } from '#core/ids.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Queryable } from '#platform/postgres/database.ts';
import { findInboxes, type Inbox } from '../store/connectors.ts';

/**
 * A connector that receives messages, with its secret in plain text. If the secret is null, all messages are refused.
 */
export type OpenInbox = Omit<Inbox, 'secret'> & { readonly secret: string | null };

export type FindInbox = (id: ConnectorId) => Promise<OpenInbox | undefined>;

/**
 * How long a lookup is cached, in milliseconds. After a change, a process can still use the old secret, or the deleted
 * connector, for this long.
 */
const FRESH_MS = 500;
const MAX_CACHED = 1_000;
const MAX_PER_QUERY = 1_000;

/**
 * Returns a cached lookup of connectors. A flood of messages to one connector causes at most two queries a second.
 * Uncached ids, including unknown ids, are looked up in batches, one query at a time. So a flood of unknown ids uses
 * only one connection.
 */
export function createInboxFinder(
  connection: Queryable,
  secrets: Pick<SecretBox, 'open'>,
  now: () => number = () => performance.now(),
): FindInbox {
  const cache = new Map<ConnectorId, { readonly found: OpenInbox | undefined; readonly freshUntil: number }>();
  const waiting = new Map<ConnectorId, PromiseWithResolvers<OpenInbox | undefined>>();
  let isLoading = false;

  return async (id) => {
    const cached = cache.get(id);
    if (cached !== undefined && now() < cached.freshUntil) return cached.found;
    const waiter = waiting.get(id) ?? Promise.withResolvers<OpenInbox | undefined>();
    waiting.set(id, waiter);
    if (!isLoading) void loadWaiting();
    return waiter.promise;
  };

  /** Looks up the waiting ids. Never rejects, because errors are passed to the callers that wait for these ids. */
  async function loadWaiting(): Promise<void> {
    isLoading = true;
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, MAX_PER_QUERY);
      const freshUntil = now() + FRESH_MS;
      try {
        const found = await findInboxes(
          connection,
          batch.map(([id]) => id),
        );
        const byId = new Map(found.map((inbox) => [inbox.id, inbox]));
        for (const [id, waiter] of batch) {
          waiting.delete(id);
          settle(id, byId.get(id), freshUntil, waiter);
        }
      } catch (error) {
        for (const [id, waiter] of batch) {
          waiting.delete(id);
          waiter.reject(error);
        }
      }
    }
    isLoading = false;
  }

  function settle(
    id: ConnectorId,
    inbox: Inbox | undefined,
    freshUntil: number,
    { resolve, reject }: PromiseWithResolvers<OpenInbox | undefined>,
  ): void {
    if (cache.size >= MAX_CACHED) cache.clear();
    try {
      const found = inbox && { ...inbox, secret: inbox.secret && secrets.open(inbox.secret) };
      cache.set(id, { found, freshUntil });
      resolve(found);
    } catch (error) {
      // The connector's secret was encrypted with another key. Messages to other connectors are not affected.
      reject(error);
    }
  }
}

/**
 * Returns a function that finds a connector's organization by the id in the path of a message. The function returns
 * undefined for an invalid id, and for an unknown or deleted connector.
 */
export function createReceiverFinder(findInbox: FindInbox): (id: string) => Promise<OrganizationId | undefined> {
  return async (text) => {
    const id = Number(text);
    const isId = Number.isSafeInteger(id) && id > 0 && String(id) === text;
    return isId ? (await findInbox(id as ConnectorId))?.organizationId : undefined;
  };
}
