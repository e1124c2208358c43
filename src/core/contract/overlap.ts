import { type Described, type Field, integer, optional } from './fields.ts';

const DEFAULT_S = 86_400;
const MAX_S = 30 * 86_400;

/** Returns a field for the time that a replaced key or secret stays valid, in seconds. The default is one day. */
export function overlapSeconds(described: Described): Field<number> {
  return optional(integer(0, MAX_S, described), DEFAULT_S);
}
