import { z } from 'zod';

/*
 * Fields of responses. These schemas describe responses in the OpenAPI document, and tests check responses against
 * them. The service doesn't parse its own responses at run time.
 */

type Shown = { readonly description: string; readonly example?: unknown };

function meta({ description, example }: Shown): { description: string; examples?: unknown[] } {
  return { description, ...(example === undefined ? {} : { examples: [example] }) };
}

export function shownInteger(shown: Shown) {
  return z.int().meta(meta(shown));
}

export function shownId(shown: Shown) {
  return z.int().min(1).meta(meta(shown));
}

export function shownText(shown: Shown) {
  return z.string().meta(meta(shown));
}

export function shownFlag(shown: Shown) {
  return z.boolean().meta(meta(shown));
}

export function shownNumber(shown: Shown) {
  return z.number().meta(meta(shown));
}

/** Returns a field for a time in RFC 3339, in UTC. */
export function shownTime(shown: Shown) {
  return z.iso.datetime().meta(meta({ example: '2026-11-21T09:30:00.000Z', ...shown }));
}

export function shownChoice<const Value extends string>(values: readonly Value[], shown: Shown) {
  return z.enum(values).meta(meta(shown));
}

/** The schemas of the response fields that are amounts. CSV files for people show these fields in major units. */
export const amounts = z.registry();

/** Returns a field for an amount in hundredths. The resource must have a currency field as well. */
export function shownAmount(shown: Shown) {
  const description = `${shown.description} In hundredths of the major unit.`;
  return z
    .int()
    .meta(meta({ example: 500, ...shown, description }))
    .register(amounts);
}

export function shownCurrency() {
  return z.string().meta({ description: 'ISO 4217.', examples: ['USD'] });
}

/** Returns a field for the public number of an opportunity. */
export function shownOpportunity(description: string) {
  return z
    .int()
    .min(1)
    .meta({ description, examples: [5214909912345678] });
}
