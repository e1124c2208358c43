import { type Minor, parseMajor } from '#core/money.ts';

/* Parsers for the cells of an export. Spreadsheets and locales write amounts and times in different ways. */

/**
 * Returns an amount in hundredths, with a point or a comma before its decimals and with or without separated thousands:
 * `1234.5`, `1,234.50`, `1.234,50`. Returns undefined if the text isn't an amount, or if it is ambiguous. For example,
 * `1,234` is either 1234 or 1.234 in a file that separates its cells with semicolons.
 */
export function listedAmount(text: string, separator: string): Minor | undefined {
  const isNegative = text.startsWith('-');
  const digits = isNegative ? text.slice(1) : text;
  const mark = decimalMark(digits, separator);
  if (mark === undefined) return undefined;
  const at = mark === '' ? digits.length : digits.lastIndexOf(mark);
  const whole = withoutThousands(digits.slice(0, at), mark === '.' ? ',' : '.', mark === '' ? [',', '.'] : []);
  const fraction = digits.slice(at + 1);
  if (whole === undefined || (mark !== '' && !areDigits(fraction))) return undefined;
  return parseMajor(`${isNegative ? '-' : ''}${whole}${mark === '' ? '' : `.${fraction}`}`);
}

/** Returns the character before the decimals, '' if there are no decimals, or undefined if the text is ambiguous. */
function decimalMark(digits: string, separator: string): '.' | ',' | '' | undefined {
  const [points, commas] = [digits.split('.').length - 1, digits.split(',').length - 1];
  if (points > 0 && commas > 0) return digits.lastIndexOf('.') > digits.lastIndexOf(',') ? '.' : ',';
  if (points + commas === 0 || points > 1 || commas > 1) return '';
  if (points === 1) return '.';
  if (digits.length - digits.indexOf(',') - 1 !== THOUSANDS) return ',';
  return separator === ';' ? undefined : '';
}

const THOUSANDS = 3;

/**
 * Removes the thousands separators. Returns undefined if the rest isn't only digits, or if the separators don't form
 * groups of three digits.
 */
function withoutThousands(whole: string, usual: string, others: readonly string[]): string | undefined {
  const mark = [usual, ...others].find((each) => whole.includes(each));
  const [first = '', ...groups] = mark === undefined ? [whole] : whole.split(mark);
  if (!areDigits(first) || (groups.length > 0 && first.length > THOUSANDS)) return undefined;
  if (groups.some((group) => group.length !== THOUSANDS || !areDigits(group))) return undefined;
  return [first, ...groups].join('');
}

const DIGITS = /^\d+$/;

export function areDigits(text: string): boolean {
  return DIGITS.test(text);
}

/**
 * Parses a time such as `2026-11-20 10:00:00 -0500`, `2026-11-20T10:00:00+01:00` or `2026-11-20 10:00`. A time without
 * a zone is in UTC. Returns undefined if the text isn't a time.
 */
export function listedTime(text: string): Date | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [, day, clock, zone = 'Z'] = match;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
  const time = new Date(`${day}T${clock}${offset === 'UTC' ? 'Z' : offset}`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?) ?(Z|UTC|[+-]\d{2}:?\d{2})?$/;
