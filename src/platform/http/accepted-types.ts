/** The format of a list: JSON, a CSV file with the same values as in JSON, or a CSV file with values for people. */
export type AcceptedType = 'json' | 'csv' | 'csv-for-people';

/** The number of characters of an Accept header that are read. Browsers send about 150. */
const MAX_ACCEPT = 1_000;

/**
 * Returns the preferred format of a list according to the Accept header. CSV is preferred if the header contains it
 * with a weight above 0, and doesn't contain JSON with an equal or higher weight. A wildcard means JSON. The console
 * and the portal request `text/csv; for=people`.
 */
export function preferredType(accept: string | undefined): AcceptedType {
  if (accept === undefined) return 'json';
  const welcome = new Map(
    accept
      .slice(0, MAX_ACCEPT)
      .split(',')
      .map((range) => {
        const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
        const quality = parameters.find((parameter) => parameter.startsWith('q='));
        const isForPeople = parameters.includes('for=people');
        return [type, { quality: quality === undefined ? 1 : Number(quality.slice(2)), isForPeople }];
      }),
  );
  const csv = welcome.get('text/csv');
  if (csv === undefined || csv.quality <= (welcome.get('application/json')?.quality ?? 0)) return 'json';
  return csv.isForPeople ? 'csv-for-people' : 'csv';
}
