import { jsonText } from '#contract/json-text.ts';
import { stuckGapSeconds } from '#domain/delivery.ts';
import type { OrganizationId } from '#domain/ids.ts';
import type { OpportunityNumbers } from '#domain/opportunity-number.ts';
import { showNumbers, showOpportunities } from '#domain/shown-numbers.ts';
import { type NewsNoun, nounOf } from '#domain/webhook.ts';
import { asDatabase, type Connection, inTransaction, isUnavailable } from '#store/database.ts';
import { readByKeys, type RowKey } from '#store/read/by-keys.ts';
import { collaborators } from '#store/read/collaborators.ts';
import { conversions } from '#store/read/conversions.ts';
import { engagements } from '#store/read/engagements.ts';
import { fulfillments } from '#store/read/fulfillments.ts';
import { obligations } from '#store/read/obligations.ts';
import { opportunities } from '#store/read/opportunities.ts';
import type { Relation } from '#store/read/relation.ts';
import { payouts } from '#store/read/payouts.ts';
import { programs } from '#store/read/programs.ts';
import { transactions } from '#store/read/transactions.ts';
import { webhooks } from '#store/read/webhooks.ts';
import {
  claimNews,
  loadOpportunityNumbers,
  type Message,
  type News,
  saveMessages,
  setNewsAside,
} from '#store/webhook-news.ts';

/** So many of those that could not be told are tried again at once, at most: none of it may delay what can be told. */
const AGAIN = 20;

export type Telling = {
  /** How many news were taken: they are messages now, or set aside. */
  readonly taken: number;
  readonly stuck: readonly Untold[];
};

/** News that can't be told, for a fault of ours. */
type Untold = { readonly news: News; readonly error: unknown };

/**
 * Makes messages of about `limit` news, of each organization the oldest, within the caller's transaction. A message holds
 * the resource as the API shows it at this moment, which may be later than what it tells: of one resource, the message with
 * the highest number shows it as it is since. News that can't be told are set aside and tried again later: they hold up
 * no others, and are never lost.
 */
export async function announceNews(connection: Connection, limit: number): Promise<Telling> {
  const news = await claimNews(connection, limit, AGAIN);
  const [again, fresh] = [news.filter(({ tries }) => tries > 0), news.filter(({ tries }) => tries === 0)];
  const stuck = [...(await tell(connection, again)), ...(await tell(connection, fresh))];
  if (stuck.length > 0) {
    await setNewsAside(
      connection,
      stuck.map((each) => ({
        news: each.news,
        error: wordsOf(each.error),
        inSeconds: stuckGapSeconds(each.news.tries),
      })),
    );
  }
  return { taken: news.length, stuck };
}

/** Answers those that can't be told: where some of the news are at fault, each half is tried by itself. */
async function tell(connection: Connection, news: readonly News[]): Promise<Untold[]> {
  const [first] = news;
  if (first === undefined) return [];
  try {
    await inTransaction(asDatabase(connection), async () => {
      await saveMessages(connection, await messagesOf(connection, news));
    });
    return [];
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (news.length === 1) return [{ news: first, error }];
    const middle = news.length >> 1;
    return [...(await tell(connection, news.slice(0, middle))), ...(await tell(connection, news.slice(middle)))];
  }
}

/** For the database, which takes no NUL. */
function wordsOf(error: unknown): string {
  return String(error).replaceAll('\0', '');
}

/** In the order of the news. What was told of is always there; should retention have taken it, there is nothing to show. */
async function messagesOf(connection: Connection, news: readonly News[]): Promise<Message[]> {
  const numbers = await loadOpportunityNumbers(connection, [...new Set(news.map((each) => each.organizationId))]);
  const shown = new Map<NewsNoun, Map<string, Shown>>();
  for (const [noun, of] of Map.groupBy(news, ({ type }) => nounOf(type))) {
    shown.set(noun, await SHOWING[noun](connection, rowKeysOf(of), numbers));
  }
  return news.flatMap((each) => {
    const resource = shown.get(nounOf(each.type))?.get(textOf(each.organizationId, each.resourceId));
    return resource === undefined ? [] : [{ ...each, resourceId: resource.id, data: jsonText(resource) }];
  });
}

/** Each resource once, however much has happened to it. */
function rowKeysOf(news: readonly News[]): RowKey[] {
  const keys = news.map(({ organizationId, resourceId: id }) => [textOf(organizationId, id), { organizationId, id }]);
  return [...new Map(keys as [string, RowKey][]).values()];
}

function textOf(organizationId: OrganizationId, id: number): string {
  return `${organizationId}/${id}`;
}

type Shown = { readonly id: number };
type Numbers = ReadonlyMap<OrganizationId, OpportunityNumbers>;
/** Resources as the API shows them, by organization and row. */
type Showing = (connection: Connection, keys: readonly RowKey[], numbers: Numbers) => Promise<Map<string, Shown>>;

const SHOWING: { readonly [Noun in NewsNoun]: Showing } = {
  opportunity: showing(opportunities, showOpportunities),
  engagement: showing(engagements, showNumbers),
  transaction: showing(transactions, showNumbers),
  conversion: showing(conversions, showNumbers),
  obligation: showing(obligations),
  fulfillment: showing(fulfillments),
  payout: showing(payouts),
  collaborator: showing(collaborators),
  program: showing(programs),
  webhook: showing(webhooks),
};

/** `numbered` puts public numbers in the place of opportunities' ids, for the rows of one organization. */
function showing<Row extends object, Resource extends Shown>(
  relation: Relation<Row, Resource>,
  numbered: (numbers: OpportunityNumbers, rows: readonly Resource[]) => readonly Shown[] = (_, rows) => rows,
): Showing {
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
