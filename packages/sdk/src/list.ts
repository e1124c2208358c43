/** One page of a list. */
export interface Page<T> {
  readonly data: T[];
  /** How many rows all pages have: exact up to 10,000, estimated above. */
  readonly estimatedCount: number;
  /** Where the next page begins: give it to the list as `after`. Absent on the last page. */
  readonly after?: string;
}

/** What a walk adds to the list's own parameters. */
export interface PageRequest {
  readonly after?: string;
  readonly perPage?: number;
  readonly page?: undefined;
}

export type ReadPage<T> = (request: PageRequest) => Promise<Page<T>>;

/** A walk needs all rows, so it asks for as many at once as the service gives. */
const ROWS_OF_A_WALK = 100;

/**
 * A list: `for await` walks all of its rows, `await` reads the first page. It asks as it goes, so a walk that ends early
 * has asked for no more than it took.
 */
export class List<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #read: ReadPage<T>;
  readonly #query: { readonly perPage?: unknown };

  constructor(read: ReadPage<T>, query: object = {}) {
    this.#read = read;
    this.#query = query;
  }

  /** The first page, or the one that `page` or `after` names; the same as awaiting the list. */
  page(): Promise<Page<T>> {
    return this.#read({});
  }

  /** Every page from there on, of 100 rows unless `perPage` says otherwise. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    const perPage = this.#query.perPage === undefined ? { perPage: ROWS_OF_A_WALK } : {};
    let page = await this.#read(perPage);
    yield page;
    while (page.after !== undefined) {
      page = await this.#read({ ...perPage, page: undefined, after: page.after });
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** The rows from there on, at most `limit` of them. */
  async toArray({ limit }: { readonly limit: number }): Promise<T[]> {
    const rows: T[] = [];
    if (limit <= 0) return rows;
    for await (const row of this) {
      if (rows.push(row) >= limit) break;
    }
    return rows;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting a list is the habit
  then<Fulfilled = Page<T>, Rejected = never>(
    onFulfilled?: ((page: Page<T>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.page().then(onFulfilled, onRejected);
  }
}
