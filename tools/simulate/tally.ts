/** Response times in buckets that are 5% apart: exact enough for a percentile, with a constant size. */
export class Latencies {
  readonly #buckets = new Float64Array(BUCKETS);
  #count = 0;
  #longest = 0;

  add(milliseconds: number): void {
    const bucket = Math.ceil(Math.log(Math.max(milliseconds, SHORTEST_MS) / SHORTEST_MS) / Math.log(STEP));
    this.#buckets[Math.min(bucket, BUCKETS - 1)]! += 1;
    this.#count += 1;
    this.#longest = Math.max(this.#longest, milliseconds);
  }

  /**
   * Returns the time that this share of responses did not exceed, in milliseconds; undefined before the first response.
   */
  percentile(share: number): number | undefined {
    if (this.#count === 0) return undefined;
    let left = this.#count * share;
    const bucket = this.#buckets.findIndex((count) => (left -= count) <= 0);
    return Math.min(this.#longest, SHORTEST_MS * STEP ** bucket);
  }

  get longest(): number | undefined {
    return this.#count === 0 ? undefined : this.#longest;
  }
}

const SHORTEST_MS = 0.05;
const STEP = 1.05;
/** The last bucket holds all times above half an hour. */
const BUCKETS = 360;

export const KINDS = ['visit', 'sale', 'refund'] as const;
export type Kind = (typeof KINDS)[number];

const PATHS: Readonly<Record<string, Kind>> = {
  '/v1/event/site-visited': 'visit',
  '/v1/event/sale': 'sale',
  '/v1/event/refund': 'refund',
};

/** The attempts and responses as seen on the wire. */
export class Tally {
  readonly latencies: Readonly<Record<Kind, Latencies>> = {
    visit: new Latencies(),
    sale: new Latencies(),
    refund: new Latencies(),
  };
  readonly attempts: Record<Kind, number> = { visit: 0, sale: 0, refund: 0 };
  /** The number of reports that were answered with 200. */
  readonly accepted: Record<Kind, number> = { visit: 0, sale: 0, refund: 0 };
  /** The number of responses by status; `none` counts attempts without a response. */
  readonly answers = new Map<string, number>();

  /** The time of the last response below 500. */
  heardAt = Number.NEGATIVE_INFINITY;

  /** Calls the global `fetch`, and counts calls that carry a report. */
  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const kind = kindOf(url);
    if (kind === undefined) return this.#heard(await fetch(url, init));
    const started = performance.now();
    let status = 'none';
    try {
      const response = this.#heard(await fetch(url, init));
      status = String(response.status);
      if (response.ok) this.accepted[kind] += 1;
      return response;
    } finally {
      this.attempts[kind] += 1;
      this.latencies[kind].add(performance.now() - started);
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    }
  };

  #heard(response: Response): Response {
    if (response.status < 500) this.heardAt = performance.now();
    return response;
  }
}

function kindOf(url: string): Kind | undefined {
  const { pathname } = new URL(url);
  const at = pathname.indexOf('/v1/');
  return at === -1 ? undefined : PATHS[pathname.slice(at)];
}
