import { placeOf } from './place.ts';

/** A whole list of the API as a file for people: `csvOf('/v1/conversions')` is what DataTable's `csv` takes. */
export function csvOf(path: string) {
  return async (query: Readonly<Record<string, string | undefined>>): Promise<Response> => {
    const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    const answer = await fetch(`${placeOf(document).serviceUrl}${path}?${new URLSearchParams(given).toString()}`, {
      headers: { accept: 'text/csv; for=people' },
    });
    if (answer.ok) return answer;
    // A problem of the API has the fields that ui/problem.ts reads.
    throw Object.assign(new Error(answer.statusText), await answer.json().catch(() => ({})), { status: answer.status });
  };
}
