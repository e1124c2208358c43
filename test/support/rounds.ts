/**
 * What is tried in rounds or by chance is tried this much of it again on the second PostgreSQL. The first has all of it; the
 * second is asked whether anything depends on its version, and for that chance need not have its way.
 */
export const SHARE_AGAIN = 1 / 5;

/** So many rounds; their share where the runner says that another PostgreSQL has had them all. */
export function rounds(count: number): number {
  return process.env['WHENCE_TEST_AGAIN'] === undefined ? count : Math.ceil(count * SHARE_AGAIN);
}
