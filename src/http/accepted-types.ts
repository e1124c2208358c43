/** JSON, or a file for spreadsheets: as it is in JSON, or as people read it. */
export type AcceptedType = 'json' | 'csv' | 'csv-for-people';

/**
 * What a caller would rather have of a list, by its Accept header. CSV is for one that names it, and JSON not at all or as less
 * welcome. Who takes anything gets JSON, as everybody does. `text/csv; for=people` is how the pages ask.
 */
export function preferredType(accept: string | undefined): AcceptedType {
  if (accept === undefined) return 'json';
  const welcome = new Map(
    accept.split(',').map((range) => {
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
