/**
 * Returns whether an error means that code of the page could not be loaded. The usual cause is an update of the service
 * while the page was open, because the files then have new names.
 */
export function isOutdated(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|importing a module script failed/i.test(error.message);
}
