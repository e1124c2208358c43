import { z } from 'zod';

/*
 * What answers are made of. These schemas describe (openapi.json) and are checked by the tests; the service does not
 * parse its own answers at run time.
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

/** RFC 3339, in UTC. */
export function shownTime(shown: Shown) {
  return z.iso.datetime().meta(meta({ example: '2026-11-21T09:30:00.000Z', ...shown }));
}

export function shownChoice<const Value extends string>(values: readonly Value[], shown: Shown) {
  return z.enum(values).meta(meta(shown));
}

/** Which fields are amounts: what writes files for people asks. */
export const amounts = z.registry();

/** In the smallest unit of the currency beside it. */
export function shownAmount(shown: Shown) {
  const description = `${shown.description} In the smallest unit.`;
  return z
    .int()
    .meta(meta({ example: 500, ...shown, description }))
    .register(amounts);
}

export function shownCurrency() {
  return z.string().meta({ description: 'ISO 4217.', examples: ['USD'] });
}

/** The number under which an opportunity is known outside. */
export function shownOpportunity(description: string) {
  return z
    .int()
    .min(1)
    .meta({ description, examples: [5214909912345678] });
}
