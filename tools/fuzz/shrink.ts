import type { Attempt } from './attempt.ts';
import { without } from './json-text.ts';

const MOST_TRIES = 80;

/** Returns a smaller request with the same property. Removes parts as long as the property still holds. */
export async function shrink(attempt: Attempt, isStillSo: (smaller: Attempt) => Promise<boolean>): Promise<Attempt> {
  let tries = 0;
  let smallest = attempt;
  for (let found = true; found;) {
    found = false;
    for (const smaller of smallerThan(smallest)) {
      if ((tries += 1) > MOST_TRIES) return smallest;
      if (!(await isStillSo(smaller))) continue;
      smallest = smaller;
      found = true;
      break;
    }
  }
  return smallest;
}

function* smallerThan(attempt: Attempt): Generator<Attempt> {
  const { query, headers, body } = attempt;
  if (query.length > 1) yield { ...attempt, query: [] };
  for (const [index] of query.entries()) yield { ...attempt, query: query.toSpliced(index, 1) };
  for (const name of Object.keys(headers)) {
    const { [name]: _, ...others } = headers;
    yield { ...attempt, headers: others };
  }
  if (body.kind !== 'none') yield { ...attempt, body: { kind: 'none' } };
  if (body.kind === 'value')
    for (const value of without(body.value)) yield { ...attempt, body: { kind: 'value', value } };
}
