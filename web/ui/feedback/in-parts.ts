/** The number of ids that were sent so far, and the number of all ids. */
export type Sent = { readonly done: number; readonly of: number };

/** The maximum number of ids that the API accepts per call. */
const MOST_AT_ONCE = 1_000;

/**
 * Sends many ids in parts, and returns all outcomes. If there are several parts, calls `onProgress` before each part.
 * At the end, also after an error, calls `onProgress` with undefined.
 */
export async function sendInParts<Outcome>(
  ids: readonly number[],
  send: (some: number[]) => PromiseLike<readonly Outcome[]>,
  onProgress: (sent: Sent | undefined) => void,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  try {
    for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
      if (ids.length > MOST_AT_ONCE) onProgress({ done: at, of: ids.length });
      outcomes.push(...(await send(ids.slice(at, at + MOST_AT_ONCE))));
    }
    return outcomes;
  } finally {
    onProgress(undefined);
  }
}
