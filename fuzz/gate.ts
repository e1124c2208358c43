/** Through which many pass at once, or one alone. */
export type Gate = {
  readonly pass: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Once all who are passing are through; who comes meanwhile waits until it is done. */
  readonly alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

export function openGate(): Gate {
  const passing = new Set<Promise<unknown>>();
  /** Settles when the last of those who go alone is through. */
  let closed: Promise<unknown> = Promise.resolve();

  return {
    pass: async (work) => {
      // Somebody else may have closed it before this one has gone on.
      for (let waited: unknown; waited !== closed;) {
        waited = closed;
        await closed;
      }
      const going = work();
      const through = going.then(ignore, ignore);
      passing.add(through);
      return going.finally(() => passing.delete(through));
    },
    alone: (work) => {
      const going = closed.then(() => Promise.all(passing)).then(work);
      closed = going.then(ignore, ignore);
      return going;
    },
  };
}

function ignore(): void {}
