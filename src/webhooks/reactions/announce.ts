import { jsonText } from '#core/contract/json-text.ts';
import { stuckGapSeconds } from '../domain/delivery.ts';
import type { OrganizationId } from '#core/ids.ts';
import type { OpportunityNumbers } from '#core/opportunity-number.ts';
import { showNumbers, showOpportunities } from '#core/shown-numbers.ts';
import { type ResourceNoun, nounOf } from '../domain/webhook.ts';
import { asDatabase, type Connection, inTransaction, isUnavailable } from '#platform/postgres/database.ts';
import { readByKeys, type RowKey } from '#platform/postgres/lists/by-keys.ts';
import { collaborators } from '#collaborators/store/read/collaborators.ts';
import { conversions } from '#attribution/store/read/conversions.ts';
import { engagements } from '#tracking/store/read/engagements.ts';
import { eventsOfType } from '#tracking/store/read/events.ts';
import { fulfillments } from '#payouts/store/read/fulfillments.ts';
import { obligations } from '#ledger/store/read/obligations.ts';
import { opportunities } from '#tracking/store/read/opportunities.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';
import { payouts } from '#payouts/store/read/payouts.ts';
import { programs } from '#programs/store/read/programs.ts';
import { transactions } from '#sales/store/read/transactions.ts';
import { webhooks } from '../store/read/webhooks.ts';
import {
  claimOutboxRows,
  loadOpportunityNumbers,
  type Message,
  type OutboxRow,
  saveMessages,
  postponeStuck,
} from '../store/webhook-outbox.ts';

/**
 * The maximum number of failed outbox rows that a batch retries. The limit keeps failed rows from delaying new rows.
 */
const MAX_RETRIED = 20;

export type Announced = {
  /** The number of claimed outbox rows, including failed rows and rows that need no message. */
  readonly taken: number;
  readonly stuck: readonly FailedRow[];
};

/** An outbox row that couldn't be turned into a message because of a bug in Whence. */
type FailedRow = { readonly row: OutboxRow; readonly error: unknown };

/**
 * Turns outbox rows into messages within the caller's transaction. Takes up to `limit` new rows, the oldest of each
 * organization, and up to MAX_RETRIED failed rows that are due again.
 *
 * A message contains the resource as the API currently shows it, which may be later than the reported change. For each
 * resource, the message with the highest sequence number shows the newest state. Failed rows are set aside and retried
 * later, so they never block other rows and are never lost.
 */
export async function announceOutbox(connection: Connection, limit: number): Promise<Announced> {
  const rows = await claimOutboxRows(connection, limit, MAX_RETRIED);
  const [again, fresh] = [rows.filter(({ tries }) => tries > 0), rows.filter(({ tries }) => tries === 0)];
  const stuck = [...(await writeMessages(connection, again)), ...(await writeMessages(connection, fresh))];
  if (stuck.length > 0) {
    await postponeStuck(
      connection,
      stuck.map((each) => ({
        row: each.row,
        error: wordsOf(each.error),
        inSeconds: stuckGapSeconds(each.row.tries),
      })),
    );
  }
  return { taken: rows.length, stuck };
}

/** Turns outbox rows into messages, and returns the rows that fail. If any row fails, each half is tried separately. */
async function writeMessages(connection: Connection, rows: readonly OutboxRow[]): Promise<FailedRow[]> {
  const [first] = rows;
  if (first === undefined) return [];
  try {
    await inTransaction(asDatabase(connection), async () => {
      await saveMessages(connection, await messagesOf(connection, rows));
    });
    return [];
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (rows.length === 1) return [{ row: first, error }];
    const middle = rows.length >> 1;
    return [
      ...(await writeMessages(connection, rows.slice(0, middle))),
      ...(await writeMessages(connection, rows.slice(middle))),
    ];
  }
}

/** Returns the error's text without NUL, which the database doesn't accept. */
function wordsOf(error: unknown): string {
  return String(error).replaceAll('\0', '');
}

/**
 * Returns the messages in the order of their outbox rows. A row whose resource was removed by retention has no message.
 */
async function messagesOf(connection: Connection, rows: readonly OutboxRow[]): Promise<Message[]> {
  const numbers = await loadOpportunityNumbers(connection, [...new Set(rows.map((each) => each.organizationId))]);
  const shown = new Map<ResourceNoun, Map<string, Shown>>();
  for (const [noun, of] of Map.groupBy(rows, ({ type }) => nounOf(type))) {
    shown.set(noun, await READERS[noun](connection, rowKeysOf(of), numbers));
  }
  // Convert each resource to JSON only once, because many outbox rows can be about one resource, such as the refunds of
  // an order.
  const texts = new Map<Shown, string>();
  const dataOf = (resource: Shown): string => {
    const text = texts.get(resource) ?? jsonText(resource);
    texts.set(resource, text);
    return text;
  };
  return rows.flatMap((each) => {
    const resource = shown.get(nounOf(each.type))?.get(textOf(each.organizationId, each.resourceId));
    return resource === undefined ? [] : [{ ...each, resourceId: resource.id, data: dataOf(resource) }];
  });
}

/** Returns the distinct keys of the resources that the outbox rows are about. */
function rowKeysOf(rows: readonly OutboxRow[]): RowKey[] {
  const keys = rows.map(({ organizationId, resourceId: id }) => [textOf(organizationId, id), { organizationId, id }]);
  return [...new Map(keys as [string, RowKey][]).values()];
}

function textOf(organizationId: OrganizationId, id: number): string {
  return `${organizationId}/${id}`;
}

type Shown = { readonly id: number };
type Numbers = ReadonlyMap<OrganizationId, OpportunityNumbers>;
/** A function that reads resources as the API shows them. The result is keyed by organization and row. */
type ReadShown = (connection: Connection, keys: readonly RowKey[], numbers: Numbers) => Promise<Map<string, Shown>>;

const READERS: { readonly [Noun in ResourceNoun]: ReadShown } = {
  opportunity: readerOf(opportunities, showOpportunities),
  engagement: readerOf(engagements, showNumbers),
  transaction: readerOf(transactions, (numbers, rows) => showNumbers(numbers, rows.map(truncateLines))),
  conversion: readerOf(conversions, showNumbers),
  obligation: readerOf(obligations),
  fulfillment: readerOf(fulfillments),
  payout: readerOf(payouts),
  collaborator: readerOf(collaborators, (_, rows) => rows.map(truncateAliases)),
  program: readerOf(programs),
  webhook: readerOf(webhooks),
  // Applied coupons are the only events that are sent as messages.
  event: readerOf(eventsOfType('CouponApplied'), showNumbers),
};

/** The maximum number of list items in a message: the lines of a transaction or the codes of a collaborator. */
const MAX_MESSAGE_ITEMS = 100;

function truncateLines<Sale extends { readonly lines: readonly unknown[] }>(sale: Sale): Sale {
  return { ...sale, lines: sale.lines.slice(0, MAX_MESSAGE_ITEMS) };
}

function truncateAliases<Owner extends { readonly aliases: readonly unknown[] }>(collaborator: Owner): Owner {
  return { ...collaborator, aliases: collaborator.aliases.slice(0, MAX_MESSAGE_ITEMS) };
}

/**
 * Returns the reader for a relation. `numbered` replaces opportunity ids with public numbers, for the rows of one
 * organization.
 */
function readerOf<Row extends object, Resource extends Shown>(
  relation: Relation<Row, Resource>,
  numbered: (numbers: OpportunityNumbers, rows: readonly Resource[]) => readonly Shown[] = (_, rows) => rows,
): ReadShown {
  return async (connection, keys, numbers) => {
    const found = await readByKeys(connection, relation, keys);
    const shown = [...Map.groupBy(found, ({ organizationId }) => organizationId)].flatMap(([organizationId, rows]) => {
      const resources = numbered(
        numbers.get(organizationId) as OpportunityNumbers,
        rows.map(({ resource }) => resource),
      );
      return rows.map(({ id }, index) => [textOf(organizationId, id), resources[index] as Shown] as const);
    });
    return new Map(shown);
  };
}
