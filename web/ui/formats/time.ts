/** A time: a string as in the API (RFC 3339), a number of milliseconds since 1970, or a Date. */
export type Moment = string | number | Date;

export type TimeStyle = 'relative' | 'date' | 'time' | 'datetime' | 'exact' | 'day';

export type TimeFormat = {
  /** The locale. Default: the reader's. */
  readonly locale?: string | undefined;
  /** The time zone. Default: the page's. */
  readonly timeZone?: string | undefined;
  /**
   * The current time in milliseconds since 1970, for `relative` and for omitting the current year. Default: the time of
   * the call.
   */
  readonly now?: number | undefined;
};

/**
 * The time zone of days and times on the page. Undefined means the reader's own zone, which is used before the login.
 */
let pageZone: string | undefined;

/** Sets the time zone of days and times on the page. A zone that this browser does not know is replaced by UTC. */
export function setPageZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    pageZone = timeZone;
  } catch {
    pageZone = 'UTC';
  }
}

/** Returns the name of the time zone of days and times on the page. */
export function getPageZone(): string {
  return pageZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * Formats a time in the page's zone. Throws a RangeError if the time is invalid.
 *
 * - `relative`: “3 minutes ago”, and the date after a week.
 * - `date`: “4 Sep 2026”, without the year if it is the current year. `datetime` adds the time of day.
 * - `time`: the time of day.
 * - `exact`: with seconds and zone.
 * - `day`: a day of a report, given as its midnight in UTC (`2026-09-04T00:00:00Z`).
 */
export function formatTime(
  at: Moment,
  style: TimeStyle,
  { locale, timeZone = pageZone, now = Date.now() }: TimeFormat = {},
): string {
  const date = dateOf(at);
  if (style === 'relative') return relative(date, now, locale, timeZone);
  const zone = style === 'day' ? 'UTC' : timeZone;
  return dateFormat(locale, zone, style, sameYear(date, now, zone)).format(date);
}

/** Formats the days from `first` to `last`: “1–28 Nov”. The year is omitted if all days are in the current year. */
export function formatDays(first: string, last: string, { locale, now = Date.now() }: TimeFormat = {}): string {
  const [from, to] = [first, last].map((day) => new Date(`${day}T00:00:00Z`)) as [Date, Date];
  const format = dateFormat(locale, 'UTC', 'day', sameYear(from, now, 'UTC') && sameYear(to, now, 'UTC'));
  // Replace the thin spaces that some locales put around the dash.
  return format.formatRange(from, to).replaceAll('\u2009', ' ');
}

/** Returns the day of a time in a zone, by default the page's: `2026-09-04`. */
export function dayOf(at: Moment, timeZone = pageZone): string {
  return partFormat(timeZone, { dateStyle: 'short' }).format(dateOf(at));
}

/** Returns the first moment of a day in a zone, by default the page's, in RFC 3339. */
export function startOf(day: string, timeZone = pageZone): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // The clock may change on this day or on the day before, so try the offsets of the day before and of the day after.
  const starts = [-DAY, DAY].map((shift) => midnight - offsetAt(midnight + shift, timeZone));
  const isStart = (at: number): boolean => dayOf(at, timeZone) === day && dayOf(at - 1, timeZone) < day;
  return new Date(starts.find(isStart) ?? (starts[1] as number)).toISOString();
}

/** Returns the last second of a day in the page's zone, in RFC 3339. */
export function endOf(day: string): string {
  return new Date(Date.parse(startOf(addDays(day, 1))) - SECOND).toISOString();
}

/** Returns how many milliseconds the clocks of a zone are ahead of UTC at the given time. */
function offsetAt(at: number, timeZone: string | undefined): number {
  const shown = partFormat(timeZone, { dateStyle: 'short', timeStyle: 'medium' }).format(at);
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - Math.floor(at / SECOND) * SECOND;
}

/** Returns the day that is `days` days later. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Returns every day from `from` up to, but not including, `until`. */
export function daysBetween(from: string, until: string): string[] {
  const days: string[] = [];
  for (let day = from; day < until; day = addDays(day, 1)) days.push(day);
  return days;
}

/** A range of days. `until` is exclusive. */
export type Period = { readonly from: string; readonly until: string };

export function dateOf(at: Moment): Date {
  const date = at instanceof Date ? at : new Date(at);
  if (Number.isNaN(date.getTime()))
    throw new RangeError(`"${String(at)}" is not a valid time. Pass an RFC 3339 time, milliseconds or a Date.`);
  return date;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The distance from now, in milliseconds, from which the date is shown instead of a relative time. */
const LONGEST_RELATIVE = 7 * DAY;

function relative(date: Date, now: number, locale: string | undefined, timeZone: string | undefined): string {
  const ms = date.getTime() - now;
  const size = Math.abs(ms);
  if (size >= LONGEST_RELATIVE) return dateFormat(locale, timeZone, 'date', sameYear(date, now, timeZone)).format(date);
  const [unit, length] =
    size < MINUTE
      ? (['second', SECOND] as const)
      : size < HOUR
        ? (['minute', MINUTE] as const)
        : size < DAY
          ? (['hour', HOUR] as const)
          : (['day', DAY] as const);
  const amount = Math.trunc(ms / length);
  // Show “now” for the first ten seconds, because a number of seconds would be outdated immediately.
  const shown = unit === 'second' && size < 10 * SECOND ? 0 : amount;
  return relativeFormat(locale).format(shown, unit);
}

/** Returns whether a date is in the current year of a zone. */
function sameYear(date: Date, now: number, timeZone: string | undefined): boolean {
  return dayOf(date, timeZone).slice(0, 4) === dayOf(now, timeZone).slice(0, 4);
}

const partFormats = new Map<string, Intl.DateTimeFormat>();

/** Returns a cached format that writes dates as in ISO 8601. Swedish dates have this format. */
function partFormat(timeZone: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone ?? ''} ${options.timeStyle ?? ''}`;
  const known = partFormats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('sv-SE', { ...options, timeZone });
  partFormats.set(key, made);
  return made;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(
  locale: string | undefined,
  timeZone: string | undefined,
  style: Exclude<TimeStyle, 'relative'>,
  thisYear: boolean,
): Intl.DateTimeFormat {
  const key = `${locale ?? ''} ${timeZone ?? ''} ${style} ${thisYear}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(locale, { ...optionsOf(style, thisYear), timeZone });
  formats.set(key, made);
  return made;
}

function optionsOf(style: Exclude<TimeStyle, 'relative'>, thisYear: boolean): Intl.DateTimeFormatOptions {
  const date: Intl.DateTimeFormatOptions = {
    day: 'numeric',
    month: 'short',
    ...(thisYear ? {} : { year: 'numeric' }),
  };
  const time: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' };
  switch (style) {
    case 'day':
    case 'date':
      return date;
    case 'time':
      return time;
    case 'datetime':
      return { ...date, ...time };
    case 'exact':
      return {
        weekday: 'short',
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        hour: 'numeric',
        minute: '2-digit',
        second: '2-digit',
        timeZoneName: 'short',
      };
    default:
      return style satisfies never;
  }
}

const relativeFormats = new Map<string, Intl.RelativeTimeFormat>();

function relativeFormat(locale: string | undefined): Intl.RelativeTimeFormat {
  const key = locale ?? '';
  const known = relativeFormats.get(key) ?? new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'long' });
  relativeFormats.set(key, known);
  return known;
}
