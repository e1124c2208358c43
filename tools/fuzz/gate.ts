/** A lock for tasks. Tasks in `pass` run concurrently, but a task in `alone` runs only while no other task runs. */
export type Gate = {
  readonly pass: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Runs the task after all running tasks have finished. Later tasks wait until it is done. */
  readonly alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

export function openGate(): Gate {
  const passing = new Set<Promise<unknown>>();
  /** A promise that settles when the last exclusive task is done. */
  let closed: Promise<unknown> = Promise.resolve();

  return {
    pass: async (work) => {
      // Wait again if another exclusive task has closed the gate in the meantime.
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
