import { Whence } from '@whence/sdk';
import type { HeldClock } from './clock.ts';
import { merchantOf } from './merchant.ts';
import { openPeople } from './people.ts';
import type { Printed } from './printed.ts';
import { shoppersOf } from './shoppers.ts';
import { DAY, type Moment, type Span, trafficOf } from './traffic.ts';

export type Filling = {
  readonly span: Span;
  readonly clock: HeldClock;
  readonly url: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly printed: Printed;
  /** Resolves once nothing is left to decide or deliver at the clock's current time. */
  readonly settled: () => Promise<void>;
  readonly onDay: (at: number) => void;
};

/** How long before the first day the shop is set up, in milliseconds. Its programs must exist by then. */
export const OPENING = 60 * 60_000;

/**
 * Plays through a time span. The actions of shoppers and the merchant's people run one after another, each as an API
 * call at its own time. At the end, the clock shows the end of the span.
 */
export async function fill(filling: Filling): Promise<void> {
  const { span, clock, url, secretKey, publishableKey, printed, settled, onDay } = filling;
  const whence = new Whence({ baseUrl: url, apiKey: secretKey });
  const { rawKey } = await whence.apiKeys.create({ label: 'Checkout', scopes: ['events:write'] });
  const people = await openPeople(url, printed, span.from - OPENING);
  const report = shoppersOf({
    checkout: new Whence({ baseUrl: url, apiKey: rawKey }),
    pages: new Whence({ baseUrl: url, apiKey: publishableKey }),
  });
  const moments = inOrder([
    ...trafficOf(span).map(({ at, what }) => ({
      at,
      what: async () => {
        await report(what);
        // Decide the report at its own time, before the clock moves on.
        if (what.kind !== 'visit' && what.kind !== 'studio') await settled();
      },
    })),
    ...merchantOf(span, { whence, url, printed, people }),
    // Everything that becomes due during a day is done by the end of that day.
    ...midnights(span).map((at) => ({
      at,
      what: async () => {
        await settled();
        onDay(at);
      },
    })),
  ]);
  for (const { at, what } of moments) {
    await clock.moveTo(at);
    await what(at);
  }
  await clock.moveTo(span.until);
  await settled();
  onDay(span.until);
}

function inOrder<What>(moments: readonly Moment<What>[]): Moment<What>[] {
  return moments.toSorted((a, b) => a.at - b.at);
}

function midnights({ from, until }: Span): number[] {
  return Array.from({ length: Math.ceil((until - from) / DAY) - 1 }, (_, day) => from + (day + 1) * DAY);
}
