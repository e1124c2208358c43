/**
 * Whether a caller would rather have CSV than JSON, by its Accept header: one that names CSV, and JSON not at all or as less
 * welcome. Who takes anything gets JSON, as everybody does.
 */
export function prefersCsv(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const welcome = new Map(
    accept.split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return [type, quality === undefined ? 1 : Number(quality.slice(2))];
    }),
  );
  const csv = welcome.get('text/csv') ?? 0;
  return csv > (welcome.get('application/json') ?? 0);
}
