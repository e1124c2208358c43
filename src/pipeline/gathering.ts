export type Gathering = {
  /** Resolves when the next round may begin; at once where somebody is in a hurry. */
  readonly beginRound: (isHurried: boolean) => Promise<void>;
  /** A batch of this round was full: the next round waits for nothing. */
  readonly noteFull: () => void;
  /** The round that is waited for begins now. */
  readonly hurry: () => void;
};

/** Rounds that begin at least so many milliseconds after each other, so that work gathers between them. */
export function gathering(milliseconds: number): Gathering {
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
