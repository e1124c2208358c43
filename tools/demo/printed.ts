/** The output of the service for the person who started it: keys, links, and emails if there is no mail server. */
export type Printed = {
  readonly print: (...lines: readonly string[]) => void;
  /**
   * Waits for the first match in the output so far or in later output. Resolves with the first group of the pattern, or
   * with the whole match if the pattern has no group. Throws an error after LONGEST_WAIT_MS.
   */
  readonly next: (pattern: RegExp) => Promise<string>;
};

/**
 * Returns an object that collects output until `next` returns it. Each match is returned once. `onPrint` also receives
 * all output.
 */
export function keepPrinted(onPrint?: (lines: readonly string[]) => void): Printed {
  const kept: string[] = [];
  let waiting: (() => void)[] = [];
  return {
    print: (...lines) => {
      kept.push(lines.join('\n'));
      onPrint?.(lines);
      const waiters = waiting;
      waiting = [];
      for (const resume of waiters) resume();
    },
    next: async (pattern) => {
      const deadline = AbortSignal.timeout(LONGEST_WAIT_MS);
      for (;;) {
        for (const [index, text] of kept.entries()) {
          const found = pattern.exec(text);
          if (found === null) continue;
          kept[index] = text.replace(found[0], '');
          return found[1] ?? found[0];
        }
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          deadline.addEventListener('abort', () => reject(new Error(`The service has not printed ${pattern}.`)), {
            once: true,
          });
        });
      }
    },
  };
}

/** The time limit for expected output, in milliseconds. Emails are printed within a second. */
const LONGEST_WAIT_MS = 20_000;
