import { type RateChange, saveExchangeRates } from '../commands/save-exchange-rates.ts';
import type * as contract from '../contract/exchange-rate.ts';
import { MAX_IMPORTED_RATES } from '../contract/exchange-rate.ts';
import {
  BASE_CURRENCY,
  type ExchangeRate,
  type InvalidCell,
  readRateHeader,
  readRateRow,
} from '../domain/exchange-rate.ts';
import { keyOf, readExchangeRates } from '../store/exchange-rates.ts';
import { faultAt, type Fault, invalidRequest, type Problem } from '#core/contract/problem.ts';
import { dayIn } from '#core/time-zone.ts';
import { readTimeZone } from '#organizations/store/read/organizations.ts';
import { type Answer, answer, type HandlersFor, unchanged } from '#platform/http/handler.ts';
import { createBreaks } from '#platform/breaks.ts';
import { readCsv } from '#platform/http/read-csv.ts';

export const exchangeRateHandlers: HandlersFor<typeof contract> = {
  listExchangeRates: async ({ tenant, query: { day } }) =>
    answer(200, await readExchangeRates(tenant, day ?? dayIn(await readTimeZone(tenant), Date.now()))),

  saveExchangeRates: async ({ tenant, body: { rates } }) => {
    const faults = faultsOf(rates);
    return faults.length > 0 ? invalidRequest(faults) : answerChanged(await saveExchangeRates(tenant, rates));
  },

  importExchangeRates: async ({ tenant, body: { file } }) => {
    const rates = await readFile(file);
    return 'kind' in rates ? rates : answerChanged(await saveExchangeRates(tenant, rates));
  },
};

function answerChanged(changed: number): Answer {
  const shown = answer(200, { changed });
  return changed === 0 ? unchanged(shown) : shown;
}

/** Returns a fault for each rate of the euro, and for each further rate of the same currency and day. */
function faultsOf(rates: readonly RateChange[]): Fault[] {
  const seen = new Set<string>();
  return rates.flatMap((rate, at): Fault[] => {
    const key = keyOf(rate);
    const isSecond = seen.has(key);
    seen.add(key);
    if (rate.currency === BASE_CURRENCY) {
      const detail = 'All rates are relative to the euro, so EUR has no rate. Remove this rate.';
      return [{ pointer: `/rates/${at}/currency`, code: 'not-applicable', detail }];
    }
    return isSecond
      ? [
          {
            pointer: `/rates/${at}`,
            code: 'duplicate',
            detail: 'This currency and day are already listed. Remove one of the rates.',
          },
        ]
      : [];
  });
}

/**
 * Returns the rates of a file, sorted by currency and day, or a problem. If the file has several lines for a day, the
 * first line takes precedence.
 */
async function readFile(file: string): Promise<ExchangeRate[] | Problem> {
  const csv = await readCsv(file, Number.MAX_SAFE_INTEGER);
  if (csv.kind === 'malformed') return fault('malformed-csv', `Line ${csv.line} is not CSV. Download the file again.`);
  if (csv.kind !== 'table') return UNSUPPORTED;
  const [header = [], ...rows] = csv.table.records;
  const columns = readRateHeader(header);
  if (columns === undefined) return UNSUPPORTED;
  const currencies = columns.filter((currency) => currency !== undefined).toSorted();
  const byCurrency = new Map(currencies.map((currency) => [currency, new Map<string, string>()]));
  const takeBreak = createBreaks();
  let count = 0;
  for (const [at, cells] of rows.entries()) {
    const rates = readRateRow(columns, cells);
    if ('kind' in rates) return fault('invalid-format', invalidCellText(at + 2, rates));
    for (const { currency, day, rate } of rates) {
      const days = byCurrency.get(currency);
      if (days?.has(day) === false) days.set(day, rate);
    }
    count += rates.length;
    if (count > MAX_IMPORTED_RATES) return TOO_MANY;
    await takeBreak();
  }
  const sorted: ExchangeRate[] = [];
  for (const [currency, days] of byCurrency) {
    for (const [day, rate] of [...days].toSorted(([a], [b]) => (a < b ? -1 : 1))) sorted.push({ currency, day, rate });
    await takeBreak();
  }
  return sorted;
}

/** The maximum number of characters of a cell that an error shows. */
const SHOWN_LENGTH = 60;

function invalidCellText(row: number, { kind, column, text }: InvalidCell): string {
  const expected = kind === 'invalid-day' ? 'a date such as 2026-09-01' : 'a rate or N/A';
  return `Row ${row}: “${text.slice(0, SHOWN_LENGTH)}” in the column ${column} is not ${expected}. Download the file again.`;
}

const TOO_MANY = fault(
  'too-many',
  `The file may contain at most ${MAX_IMPORTED_RATES} rates. Split the file into smaller files with whole lines, ` +
    'each with the header as its first line.',
);

const UNSUPPORTED = fault(
  'unsupported',
  'The first line must be the header of eurofxref-hist.csv, with each currency once: Date,USD,JPY and so on.',
);

function fault(code: string, detail: string): Problem {
  return faultAt('/file', code, detail);
}
