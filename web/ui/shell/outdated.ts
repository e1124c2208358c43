/**
 * Returns whether a chunk of the page is missing. The service was updated while the page was open, so its files have
 * new names.
 */
export function isOutdated(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|importing a module script failed/i.test(error.message);
}
