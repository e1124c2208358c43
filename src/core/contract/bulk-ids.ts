import { type Field, list } from './fields.ts';

/** The maximum number of resources in a bulk call. */
export const MAX_IN_BULK = 1_000;

/** Returns the field for the ids of the resources in a bulk call. */
export function bulkIds<Id>(each: Field<Id>): Field<Id[]> {
  return list(each, { min: 1, max: MAX_IN_BULK, description: 'The ids. A repeated id counts once.' });
}
