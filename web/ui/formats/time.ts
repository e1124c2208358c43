/** A time as in the API (RFC 3339), in milliseconds, or as a Date. */
export type Moment = string | number | Date;

export type TimeStyle = 'relative' | 'date' | 'time' | 'datetime' | 'exact' | 'day';

export type TimeFormat = {
  /** The locale. Default: the reader's. */
  readonly locale?: string | undefined;
  /** The time zone. Default: the reader's. */
  readonly timeZone?: string | undefined;
  /** The current time for `relative`, and for omitting the current year. */
  readonly now?: number | undefined;
};

/**
 * Formats a time in the reader's zone. Throws a RangeError if the time is invalid.
 *
 * - `relative`: “3 minutes ago”, and the date after a week.
 * - `date`: “4 Sep 2026”, without the year if it is the current year. `datetime` adds the time of day.
 * - `time`: the time of day.
 * - `exact`: with seconds and zone.
 * - `day`: a UTC day of a report (`2026-09-04`), which is the same day for every reader.
 */
export function formatTime(
  at: Moment,
  style: TimeStyle,
  { locale, timeZone, now = Date.now() }: TimeFormat = {},
): string {
  const date = dateOf(at);
  if (style === 'relative') return relative(date, now, locale, timeZone);
  const zone = style === 'day' ? 'UTC' : timeZone;
  return dateFormat(locale, zone, style, sameYear(date, now)).format(date);
}

/** Formats the UTC days from `first` to `last`: “1–28 Nov”. The year is omitted if all days are in the current year. */
export function formatDays(first: string, last: string, { locale, now = Date.now() }: TimeFormat = {}): string {
  const [from, to] = [first, last].map((day) => new Date(`${day}T00:00:00Z`)) as [Date, Date];
  const format = dateFormat(locale, 'UTC', 'day', sameYear(from, now) && sameYear(to, now));
  // Replace the thin spaces that some locales put around the dash.
  return format.formatRange(from, to).replaceAll('\u2009', ' ');
}

/** Returns the UTC day of a time: `2026-09-04`. */
export function utcDay(at: Moment): string {
  return dateOf(at).toISOString().slice(0, 10);
}

/** Returns the UTC day that is `days` days later. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Returns every UTC day from `from` up to, but not including, `until`. */
export function daysBetween(from: string, until: string): string[] {
  const days: string[] = [];
  for (let day = from; day < until; day = addDays(day, 1)) days.push(day);
  return days;
}

/** A range of UTC days. `until` is exclusive. */
export type Period = { readonly from: string; readonly until: string };

export function dateOf(at: Moment): Date {
  const date = at instanceof Date ? at : new Date(at);
  if (Number.isNaN(date.getTime())) throw new RangeError(`not a moment: ${String(at)}`);
  return date;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The age, in milliseconds, from which the date is shown instead of a relative time. */
const LONGEST_RELATIVE = 7 * DAY;

function relative(date: Date, now: number, locale: string | undefined, timeZone: string | undefined): string {
  const ms = date.getTime() - now;
  const size = Math.abs(ms);
  if (size >= LONGEST_RELATIVE) return dateFormat(locale, timeZone, 'date', sameYear(date, now)).format(date);
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

/**
 * Returns whether a date is in the current year in UTC. For a few hours around New Year, it may be another year in the
 * reader's zone.
 */
function sameYear(date: Date, now: number): boolean {
  return date.getUTCFullYear() === new Date(now).getUTCFullYear();
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
