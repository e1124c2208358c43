/** The progress of a long action. */
export type Sent = { readonly done: number; readonly of: number };

/** The maximum number of ids that the API accepts per call. */
const MOST_AT_ONCE = 1_000;

/**
 * Sends many ids in parts. With more than one part, it reports the progress before each part, and undefined at the
 * end.
 */
export async function inParts<Outcome>(
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
