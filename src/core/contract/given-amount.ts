import type { z } from 'zod';
import type { GivenAmount } from '../given-amount.ts';
import { MAX_MINOR } from '../money.ts';
import { type Described, type Field, majorAmount, minorAmount, optional } from './fields.ts';
import { addFault } from './parse.ts';

/** Returns an optional field for an amount in major units. `requireOne` makes one of several such fields required. */
export function eitherMajor(min: bigint, described: Described): Field<GivenAmount | undefined> {
  return optional(majorAmount(min, MAX_MINOR, described)).transform((amount) =>
    amount === undefined ? undefined : ({ unit: 'hundredth', amount } as const),
  );
}

/**
 * Returns an optional field for an amount as an integer in the smallest unit that ISO 4217 defines for the currency.
 * `requireOne` makes one of several such fields required.
 */
export function eitherMinor(min: bigint, described: Described): Field<GivenAmount | undefined> {
  return optional(minorAmount(min, MAX_MINOR, described)).transform((amount) =>
    amount === undefined ? undefined : ({ unit: 'smallest', amount } as const),
  );
}

/**
 * Returns a check that exactly one of the named fields is set. If no field is set, the fault points to the first field.
 */
export function requireOne(...names: readonly [string, ...string[]]) {
  return (fields: object, context: z.RefinementCtx): void => {
    const [, ...others] = givenOf(names, fields);
    const choices = names.map((name) => `\`${name}\``).join(' or ');
    if (givenOf(names, fields).length === 0) {
      const message = `This field is required. Send ${choices}.`;
      addFault(context, [names[0]], 'required', message);
    }
    for (const name of others) {
      const message = `Send one of ${choices}, not both.`;
      addFault(context, [name], 'conflicting', message);
    }
  };
}

/** The zod option that runs a check of an object even if fields of the object have faults. */
export const BESIDE_OTHER_FAULTS = {
  when: ({ issues }: z.core.ParsePayload) => issues.every(({ path }) => path !== undefined && path.length > 0),
};

function givenOf(names: readonly string[], fields: object): readonly string[] {
  const given: Partial<Record<string, unknown>> = { ...fields };
  return names.filter((name) => given[name] !== undefined);
}
