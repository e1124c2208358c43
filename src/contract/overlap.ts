import { type Described, type Field, integer, optional } from './fields.ts';

const DEFAULT_S = 86_400;
const MAX_S = 30 * 86_400;

/** How long what is replaced, a key or a secret, holds beside what replaces it: a day unless told. */
export function overlapSeconds(described: Described): Field<number> {
  return optional(integer(0, MAX_S, described), DEFAULT_S);
}
