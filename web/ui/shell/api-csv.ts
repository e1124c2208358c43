import { placeOf } from './place.ts';

/**
 * Returns a function for DataTable's `csv` that loads a whole list of the API as CSV for people:
 * `csvOf('/v1/conversions')`. If the API refuses the call, the function throws an error with the fields of the API
 * problem.
 */
export function csvOf(path: string) {
  return async (query: Readonly<Record<string, string | undefined>>): Promise<Response> => {
    const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    const answer = await fetch(`${placeOf(document).serviceUrl}${path}?${new URLSearchParams(given).toString()}`, {
      headers: { accept: 'text/csv; for=people' },
    });
    if (answer.ok) return answer;
    // An API problem has the fields that web/ui/feedback/problem.ts reads.
    throw Object.assign(new Error(answer.statusText), await answer.json().catch(() => ({})), { status: answer.status });
  };
}
