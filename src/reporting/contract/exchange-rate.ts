import { z } from 'zod';
import { BASE_CURRENCY, parseRate, RATE_DIGITS } from '../domain/exchange-rate.ts';
import { day } from '#core/contract/day-field.ts';
import {
  currencyCode,
  type Field,
  field,
  list,
  object,
  optional,
  present,
  refusal,
  text,
} from '#core/contract/fields.ts';
import { NumberLiteral } from '#core/contract/number-literal.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownCurrency, shownInteger, shownText } from '#core/contract/response-fields.ts';

const operation = operationsOf('Exchange rates');

/** The maximum number of rates in a call. */
export const MAX_RATES = 1_000;
/** The maximum length of a file, in UTF-16 units. The body of the request must also not exceed `MAX_BODY_BYTES`. */
export const MAX_RATE_CHARACTERS = 1_000_000;
/** The maximum number of rates in a file. A European Central Bank file of the maximum length has about 130,000. */
export const MAX_IMPORTED_RATES = 200_000;

const RATE = 'How many units of the currency one euro buys.';
const MAX_LENGTH = 64;

const rateField: Field<string> = field(
  { anyOf: [{ type: 'string', maxLength: MAX_LENGTH }, { type: 'number' }] },
  { description: RATE, example: '1.0852' },
  (value) => {
    if (typeof value !== 'string' && !(value instanceof NumberLiteral)) {
      return refusal('wrong-type', 'This must be a decimal number.');
    }
    const given = typeof value === 'string' ? value : value.text;
    if (given.length > MAX_LENGTH) return refusal('too-long', `This must have at most ${MAX_LENGTH} characters.`);
    const rate = parseRate(given);
    const { whole, decimals } = RATE_DIGITS;
    return (
      rate ??
      refusal(
        'invalid-format',
        `This must be above 0, with at most ${whole} digits before the decimal point and ${decimals} after it.`,
      )
    );
  },
);

const rate = z
  .strictObject({
    currency: shownCurrency(),
    day: shownText({ description: 'The day from which the rate applies.', example: '2026-09-01' }),
    rate: shownText({ description: RATE, example: '1.0852' }),
  })
  .meta({ id: 'ExchangeRate', description: 'A rate of a currency to the euro.' });

export const listExchangeRates = operation({
  method: 'GET',
  path: '/v1/exchange-rates',
  summary: 'List the exchange rates of a day',
  description:
    'Returns the rates with which figures of a day are converted: for each currency, the rate of the day or else the ' +
    'last rate before the day.',
  scope: 'resources:read',
  query: z.strictObject({
    day: optional(
      day({ description: 'The day. The default is today in the organization’s time zone.', example: '2026-09-01' }),
    ),
  }),
  mayLag: true,
  success: { description: 'The rates, sorted by currency.', body: z.array(rate) },
});

const saved = z
  .strictObject({ changed: shownInteger({ description: 'The number of rates that changed.', example: 1 }) })
  .meta({ id: 'ChangedRates', description: 'The result of a change of exchange rates.' });

export const saveExchangeRates = operation({
  method: 'POST',
  path: '/v1/exchange-rates',
  summary: 'Save exchange rates',
  description:
    'Saves rates to the euro, which has no rate itself. A rate replaces the rate of the same currency and day, and ' +
    'null removes it. Figures use the new rates at once, also for past days.',
  scope: 'resources:write',
  body: object({
    rates: list(
      object({
        currency: currencyCode({ description: `The currency. It can’t be ${BASE_CURRENCY}.` }),
        day: day({ description: 'The day from which the rate applies.', example: '2026-09-01' }),
        rate: present(rateField, 'This field is required. Null removes the rate.'),
      }),
      { min: 1, max: MAX_RATES, description: 'The rates. A currency can have one rate for a day.' },
    ),
  }),
  success: { description: 'The number of changed rates.', body: saved },
});

export const importExchangeRates = operation({
  method: 'POST',
  path: '/v1/exchange-rates/import',
  summary: 'Import a file of exchange rates',
  description:
    'Saves the rates of a file of the European Central Bank: `eurofxref-hist.csv`, or its newest lines below the ' +
    'header. Importing a file again changes nothing. The file is not stored.',
  scope: 'resources:write',
  takesSecret: ['file'],
  body: object({
    file: text(1, MAX_RATE_CHARACTERS, {
      description: 'The text of the file.',
      example: 'Date,USD,JPY,\n2026-09-01,1.0852,159.3,\n',
    }),
  }),
  success: { description: 'The number of changed rates.', body: saved },
});
