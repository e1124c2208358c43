/** Whether a chunk of the page is gone: the service was updated while the page was open, and its files have other names now. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|importing a module script failed/i.test(error.message);
}
