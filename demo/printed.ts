/** What the service has printed for whoever started it: keys and links, and mails where no server takes them. */
export type Printed = {
  readonly print: (...lines: readonly string[]) => void;
  /** What has this form in anything printed so far, or next. */
  readonly next: (pattern: RegExp) => Promise<string>;
};

/** Keeps what is printed until it is asked for; each find is given once. `onPrint` gets it as well. */
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

/** A mail goes out within a second. */
const LONGEST_WAIT_MS = 20_000;
