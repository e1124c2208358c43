export type Pacer = {
  /**
   * Waits until the next round can begin. Doesn't wait if `isHurried` is true, or if a batch of the last round was
   * full.
   */
  readonly beginRound: (isHurried: boolean) => Promise<void>;
  /** Records that a batch of the current round was full, so that the next round begins without a delay. */
  readonly noteFull: () => void;
  /** Starts a delayed round immediately. */
  readonly hurry: () => void;
};

/**
 * Creates a pacer for rounds that begin at least `milliseconds` apart, so that jobs accumulate between them. A round
 * begins without a delay if it is hurried, or if a batch of the previous round was full.
 */
export function createPacer(milliseconds: number): Pacer {
  let beganAt = -Infinity;
  let wasFull = false;
  let hurry: (() => void) | undefined;

  return {
    beginRound: async (isHurried) => {
      const left = beganAt + milliseconds - performance.now();
      if (left > 0 && !wasFull && !isHurried) await pause(left);
      beganAt = performance.now();
      wasFull = false;
    },
    noteFull: () => {
      wasFull = true;
    },
    hurry: () => hurry?.(),
  };

  function pause(left: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, left);
      hurry = end;
      function end(): void {
        clearTimeout(timer);
        hurry = undefined;
        resolve();
      }
    });
  }
}
