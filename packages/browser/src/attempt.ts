/** What the page has switched off, blocked or broken must not become its problem: undefined, where this throws. */
export function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
