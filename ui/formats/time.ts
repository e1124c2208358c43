/** A moment as the API writes it (RFC 3339), as milliseconds, or as a Date. */
export type Moment = string | number | Date;

export type TimeStyle = 'relative' | 'date' | 'time' | 'datetime' | 'exact' | 'day';

export type TimeFormat = {
  /** The reader's, unless told. */
  readonly locale?: string | undefined;
  /** The reader's, unless told. */
  readonly timeZone?: string | undefined;
  /** What `relative` counts from, and whose year goes without saying. */
  readonly now?: number | undefined;
};

/**
 * A moment in the reader's zone: `relative` “3 minutes ago” (after a week the date), `date` “4 Sep 2026”, `datetime` with minutes, `time`,
 * `exact` with seconds and zone. `day` is for a UTC day of a report (`2026-09-04`), which is the same day for every reader.
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

/** `2026-09-04`: the UTC day in which a moment lies. */
export function utcDay(at: Moment): string {
  return dateOf(at).toISOString().slice(0, 10);
}

/** The UTC day so many days later. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Every UTC day from `from` until before `until`. */
export function daysBetween(from: string, until: string): string[] {
  const days: string[] = [];
  for (let day = from; day < until; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The period of the same length right before. */
export function periodBefore({ from, until }: Period): Period {
  return { from: addDays(from, -daysBetween(from, until).length), until: from };
}

/** UTC days; `until` is not part of it. */
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
/** Beyond, a date says more than a number of days. */
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
  // “now” rather than a number that is wrong before it is read.
  const shown = unit === 'second' && size < 10 * SECOND ? 0 : amount;
  return relativeFormat(locale).format(shown, unit);
}

/** By UTC, so that it does not depend on the zone; a few hours around New Year the year is shown without need. */
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
