import { hash } from 'node:crypto';
import { WhenceError, type Whence } from '@whence/sdk';
import { refundBody, saleBody } from './order.ts';
import type { Outcome, Shopper } from './shopper.ts';
import type { Deed } from './story.ts';

export type Reporter = {
  /** Sends an action of a shopper, repeated until it is answered or the run's patience ends. Never throws. */
  readonly report: (shopper: Shopper, deed: Deed, step: number) => Promise<Outcome>;
  /** The texts of the first refusals. A simulation sends nothing that should be refused. */
  readonly refusals: readonly string[];
};

export type ReporterOptions = {
  /** A client with the secret key. */
  readonly whence: Whence;
  /** A client for visits that name no user, with the publishable key if there is one. */
  readonly pages: Whence;
  /** The name of the run, used as the source of its orders. */
  readonly name: string;
  readonly links: readonly string[];
  /** Ends reports that are still under way. */
  readonly signal: AbortSignal;
};

const SHOWN_REFUSALS = 10;
/** The range of user ids, far above those of real users. */
const USERS = { first: 4_000_000_000_000_000, count: 5_000_000_000_000_000 };

/** Returns a reporter that uses the SDK with its retries. Final refusals are kept to be shown. */
export function reporterOf({ whence, pages, name, links, signal }: ReporterOptions): Reporter {
  const refusals: string[] = [];
  return {
    refusals,
    report: async (shopper, deed, step) => {
      try {
        await send(shopper, deed, step);
        return 'accepted';
      } catch (error) {
        if (isUnanswered(error)) return 'unknown';
        if (refusals.length < SHOWN_REFUSALS) refusals.push(String(error));
        return 'refused';
      }
    },
  };

  async function send(shopper: Shopper, deed: Deed, step: number): Promise<void> {
    switch (deed.kind) {
      case 'visit': {
        const opportunity = shopper.opportunities[deed.device];
        const idempotencyKey = `${name}-${shopper.number}-${step}`;
        const collaboratorId = links[deed.referrer] as string;
        const client = deed.isLoggedIn ? whence : pages;
        shopper.opportunities[deed.device] = await client.report.visit(
          deed.isLoggedIn ? { collaboratorId, userId: userOf(name, shopper.number) } : { collaboratorId },
          { opportunity, idempotencyKey, signal },
        );
        return;
      }
      case 'sale':
        await whence.report.sale(saleBody(name, deed.order, shopper.opportunities[deed.device] as number), { signal });
        return;
      case 'refund':
        await whence.report.refund(refundBody(name, deed.order, deed.part), { signal });
        return;
      default:
        deed satisfies never;
    }
  }

  /** Returns whether a report was never answered: the run ended it, or the SDK gave up after its retries. */
  function isUnanswered(error: unknown): boolean {
    if (error === signal.reason) return true;
    const { status } = error as Partial<WhenceError>;
    return error instanceof WhenceError && (status === undefined || status >= 500 || status === 429);
  }
}

/**
 * Returns the user id of a logged-in shopper. Each has their own, in a range that starts at a point derived from the
 * run's name.
 */
export function userOf(name: string, shopper: number): number {
  const begin = Number(BigInt(`0x${hash('sha256', name).slice(0, 16)}`) % BigInt(USERS.count));
  return USERS.first + ((begin + shopper) % USERS.count);
}
