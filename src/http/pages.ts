import { type Cursor, type ListRequest, NO_CURSOR, writeCursor } from '#contract/list.ts';
import { invalidRequest, type Problem } from '#contract/problem.ts';
import type { OrganizationId } from '#domain/ids.ts';
import type { Queryable } from '#store/database.ts';
import { type Filters, MAX_SORTED, readPage, type Relation } from '#store/read/page.ts';
import { type Answer, answer } from './handler.ts';

/** What answering a list takes of its request. */
export type ListCall = {
  readonly auth: { readonly organizationId: OrganizationId };
  readonly query: ListRequest<Filters>;
  readonly url: string;
};

export type PageOptions<Resource> = {
  /** Fixes fields, such as the program of its versions, or replaces what a filter asked for. */
  readonly within?: Filters;
  /** How rows are shown; one call for a page, since public numbers are made in batches. */
  readonly show?: (items: readonly Resource[]) => readonly unknown[];
  /** The key in a cursor as callers see it, and back. */
  readonly keys?: { readonly show: (key: number) => number; readonly read: (key: number) => number };
};

const SAME = { show: (key: number) => key, read: (key: number) => key };

/** One page of a relation: a bare array, its count, and a link to the next page as long as there is one. */
export async function answerPage<Row extends object, Resource>(
  connection: Queryable,
  { auth, query, url }: ListCall,
  relation: Relation<Row, Resource>,
  { within = {}, show = (items) => items, keys = SAME }: PageOptions<Resource> = {},
): Promise<Answer | Problem> {
  const after = query.after && { value: query.after.value, key: keys.read(query.after.key) };
  const page = await readPage(connection, auth.organizationId, relation, { ...query, after }, within);
  if (page.kind === 'no-such-cursor') {
    return invalidRequest([{ pointer: '/after', code: 'invalid-format', detail: NO_CURSOR }]);
  }
  if (page.kind === 'too-many') {
    const { field } = query.sort;
    const detail =
      field === relation.key
        ? `A range of more than ${MAX_SORTED} rows that lies far back is not listed by ${field}: leave the sort away.`
        : `More than ${MAX_SORTED} rows can’t be sorted by ${field}: narrow the list by a filter.`;
    return invalidRequest([{ pointer: '/sort', code: 'too-many', detail }]);
  }
  const sort = `${query.sort.descending ? '-' : ''}${query.sort.field}`;
  const next = page.next && { sort, value: page.next.value, key: keys.show(page.next.key) };
  return answer(200, show(page.items), {
    serviceHeaders: { 'Estimated-Count': String(page.estimatedCount) },
    ...(next === undefined ? {} : { headers: { link: nextLink(url, next) } }),
  });
}

/** Relative, as RFC 8288 allows: behind a proxy only the caller knows the host. */
function nextLink(url: string, next: Cursor): string {
  // Only the first question mark parts path and query; a filter may hold another.
  const end = url.includes('?') ? url.indexOf('?') : url.length;
  const parameters = new URLSearchParams(url.slice(end));
  parameters.delete('page');
  parameters.set('after', writeCursor(next));
  return `<${url.slice(0, end)}?${parameters.toString()}>; rel="next"`;
}
