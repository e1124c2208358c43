import { Whence } from '@whence/sdk';
import type { HeldClock } from './clock.ts';
import { merchantOf } from './merchant.ts';
import { createDemoPeople } from './people.ts';
import type { Printed } from './printed.ts';
import { openClient, Tally } from '#tools/traffic/client.ts';
import { diceOf } from '#tools/traffic/random.ts';
import { Shopper } from '#tools/traffic/shopper.ts';
import { DAY, HOUR, type Step } from '#tools/traffic/story.ts';
import { suspectsOf } from './suspects.ts';
import { type Span, trafficOf, visitorsOf } from './traffic.ts';

export type DemoRun = {
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

/**
 * The time between the setup of the shop and its first day, in milliseconds. Programs must exist before the first
 * visit.
 */
export const OPENING = HOUR;

/**
 * Simulates a time span. The actions of shoppers and the merchant's people run one after another, each with API calls
 * at its own time. At the end, the clock shows the end of the span.
 */
export async function fillDemo(run: DemoRun): Promise<void> {
  const { span, clock, url, secretKey, publishableKey, printed, settled, onDay } = run;
  const whence = new Whence({ baseUrl: url, apiKey: secretKey });
  const { rawKey } = await whence.apiKeys.create({ label: 'Checkout', scopes: ['events:write'] });
  const people = await createDemoPeople(url, printed, span.from - OPENING);
  const client = openClient({
    urls: () => [url],
    key: rawKey,
    publishableKey,
    tally: new Tally(),
    dice: diceOf(span.seed),
  });
  const shoppers = new Map(visitorsOf(span).map(({ number, steps }) => [number, shopperOf(number, steps, span)]));
  const moments = [
    ...trafficOf(span).map(({ at, what, by }) => ({
      at,
      what: async () => {
        await shoppers.get(by)?.take(client.insist);
        // Decide the report at its own time, before the clock moves on.
        if (what.kind !== 'visit' && what.kind !== 'custom-event') await settled();
      },
    })),
    ...merchantOf(span, { whence, url, printed, people }),
    ...suspectsOf(span, { pages: new Whence({ baseUrl: url, apiKey: publishableKey }), whence, settled }),
    // Everything that becomes due during a day is done by the end of that day.
    ...midnights(span).map((at) => ({
      at,
      what: async () => {
        await settled();
        onDay(at);
      },
    })),
  ].toSorted((a, b) => a.at - b.at);
  for (const { at, what } of moments) {
    await clock.moveTo(at);
    await what(at);
  }
  client.close();
  await clock.moveTo(span.until);
  await settled();
  onDay(span.until);
}

function shopperOf(number: number, steps: readonly Step[], { seed }: Span): Shopper {
  const complain = (_: string, words: string): never => {
    throw new Error(words);
  };
  return new Shopper({ steps, name: `shopper-${number}`, sentTwice: 0, dice: diceOf(seed, number), complain });
}

function midnights({ from, until }: Span): number[] {
  return Array.from({ length: Math.ceil((until - from) / DAY) - 1 }, (_, day) => from + (day + 1) * DAY);
}
