import { type Dice, diceOf } from '#tools/traffic/random.ts';
import { DAY, type Deed, type Habits, HOUR, type Step, storyOf } from '#tools/traffic/story.ts';
import { CAST } from './cast.ts';

export type Span = {
  /** The beginning of the span: a midnight in UTC, in milliseconds since 1970. */
  readonly from: number;
  /** The end of the span, in milliseconds since 1970. */
  readonly until: number;
  /** The average number of new shoppers a day. */
  readonly shoppers: number;
  readonly seed: number;
};

/** A shopper, with the time of arrival and the steps after it. */
export type Visitor = { readonly number: number; readonly arrival: number; readonly steps: readonly Step[] };

/** The relative traffic of each weekday, from Sunday. */
const WEEK = [0.85, 1.08, 1.02, 1, 1.1, 1.02, 0.83];
/** The relative traffic of each hour, in UTC. */
const HOURS = [2, 1, 1, 0, 0, 1, 2, 4, 6, 7, 8, 8, 9, 8, 8, 9, 9, 10, 11, 12, 12, 10, 7, 4];
/** The count of shopper numbers that are reserved for each day, so that the numbers of different days never collide. */
const NUMBERS_A_DAY = 1_000;
/** The middle of a campaign, as a share of the span (0 to 1). More shoppers arrive during the campaign. */
const CAMPAIGN_AT = 0.72;
const CAMPAIGN_DAYS = 2;
const HABITS = {
  returning: 0.27,
  buyingAgain: 0.12,
  refunded: 0.04,
  partlyRefunded: 0.035,
  withoutLines: 0,
  repeated: 0,
  contradicted: 0,
  firstUser: 100_000,
  studio: 'tracking:studio',
  source: (dice: Dice, currency: string) => (currency === 'EUR' ? 'shop-eu' : dice.chance(0.22) ? 'app' : 'shop'),
};

/** Returns all shoppers of a time span. The same span always has the same shoppers. */
export function visitorsOf(span: Span): Visitor[] {
  const days = Math.ceil((span.until - span.from) / DAY);
  return Array.from({ length: days }, (_, day) => visitorsOfDay(span, day, days)).flat();
}

/** Returns the actions of all shoppers in a time span, in chronological order. */
export function trafficOf(span: Span): { readonly at: number; readonly what: Deed; readonly by: number }[] {
  const moments = visitorsOf(span).flatMap(({ number, arrival, steps }) =>
    steps.map(({ at, deed }) => ({ at: arrival + at, what: deed, by: number })),
  );
  return moments.filter(({ at }) => at < span.until).sort((a, b) => a.at - b.at);
}

function visitorsOfDay({ seed, from, until, shoppers }: Span, day: number, days: number): Visitor[] {
  const dice = diceOf(seed, day);
  const start = from + day * DAY;
  const growth = 0.6 + (0.8 * (day + 0.5)) / days;
  const rhythm = WEEK[new Date(start).getUTCDay()] as number;
  const campaign = Math.abs(day / days - CAMPAIGN_AT) < CAMPAIGN_DAYS / 2 / days ? 1.5 : 1;
  const count = Math.round(shoppers * growth * rhythm * campaign * (0.9 + 0.2 * dice.share()));
  return Array.from({ length: count }, (_, n) => {
    const hour = dice.weighted([...HOURS.keys()], (each) => HOURS[each] as number);
    const arrival = start + hour * HOUR + dice.roll(HOUR);
    const joined = CAST.filter(({ since }) => from + since * (until - from) <= arrival);
    const habits: Habits = { ...HABITS, referrer: (dice) => dice.weighted(joined, ({ weight }) => weight) };
    const number = day * NUMBERS_A_DAY + n;
    return { number, arrival, steps: storyOf(diceOf(seed, day, n), habits, number) };
  });
}
