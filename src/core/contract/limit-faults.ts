import type { z } from 'zod';
import { MAX_FAULTS } from './problem.ts';

/**
 * Changes a list schema so that its validation stops after the item with the hundredth fault, and returns the schema. A
 * response lists at most a hundred faults, and validating a long list with many faults would block other requests. The
 * items of a list with more than `max` items are not validated.
 */
export function limitFaults<Value>(
  schema: z.ZodArray<z.ZodType<Value>>,
  of: z.ZodType<Value>,
  max: number,
): z.ZodType<Value[], unknown> {
  const [{ _zod: internals }, { _zod: item }] = [schema, of];
  const parseWhole = internals.parse.bind(internals);
  internals.parse = (payload, context) => {
    const items: unknown = payload.value;
    if (!Array.isArray(items)) return parseWhole(payload, context);
    if (items.length > max) return payload;
    const read: Value[] = [];
    for (const [index, value] of items.entries()) {
      const result = item.run({ value, issues: [] }, context) as z.core.ParsePayload<Value>;
      for (const issue of result.issues) payload.issues.push({ ...issue, path: [index, ...(issue.path ?? [])] });
      read.push(result.value);
      if (payload.issues.length >= MAX_FAULTS) break;
    }
    payload.value = read;
    return payload;
  };
  return schema;
}
