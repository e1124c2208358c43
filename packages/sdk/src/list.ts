/** One page of a list. */
export interface Page<T> {
  readonly data: T[];
  /**
   * The number of rows on all pages. It is exact up to 10,000, and 10,001 means more. If counting takes too long, the
   * service returns a lower number.
   */
  readonly estimatedCount: number;
  /** The cursor of the next page, to pass to the list as `after`. Absent on the last page. */
  readonly after?: string;
}

/** The query parameters that an iteration adds to the parameters of the list. */
export interface PageRequest {
  readonly after?: string;
  readonly perPage?: number;
  readonly page?: undefined;
}

export type ReadPage<T> = (request: PageRequest) => Promise<Page<T>>;

/** The page size of iterations, which is the largest page size of the service. */
const ITERATION_PAGE_SIZE = 100;

/**
 * A list: `for await` iterates over all rows, and `await` reads the first page. Pages are loaded on demand, so an
 * iteration that ends early loads no further pages.
 */
export class List<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #read: ReadPage<T>;
  readonly #query: { readonly perPage?: unknown };

  constructor(read: ReadPage<T>, query: object = {}) {
    this.#read = read;
    this.#query = query;
  }

  /** Reads the first page, or the page that `page` or `after` selects. Equivalent to awaiting the list. */
  page(): Promise<Page<T>> {
    return this.#read({});
  }

  /** Iterates over all pages from the selected page on, with 100 rows each unless `perPage` is set. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    const perPage = this.#query.perPage === undefined ? { perPage: ITERATION_PAGE_SIZE } : {};
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

  /** Returns at most `limit` rows from the selected page on. */
  async toArray({ limit }: { readonly limit: number }): Promise<T[]> {
    const rows: T[] = [];
    if (limit <= 0) return rows;
    for await (const row of this) {
      if (rows.push(row) >= limit) break;
    }
    return rows;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting a list reads its first page
  then<Fulfilled = Page<T>, Rejected = never>(
    onFulfilled?: ((page: Page<T>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.page().then(onFulfilled, onRejected);
  }
}
