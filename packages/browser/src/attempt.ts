/**
 * Returns the result of `action`, or undefined if it throws. Features that the page has disabled, blocked or broken
 * must not cause errors in the page.
 */
export function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
