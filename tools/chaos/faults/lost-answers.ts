import { until } from '../load.ts';
import type { Fault } from '../fault.ts';

/** The messages that write: statements by name, and the end of a transaction. */
const WRITES = ['write-visits', 'write-sales', 'write-refunds', 'save-named-refunds', 'commit'];
const LOST = 12;

export const fault: Fault = {
  name: 'lost-answers',
  what: 'The commit is done, and its answer is lost with the connection; of every fourth that writes',
  trials: { short: 2, full: 20 },
  healsWithinMs: 3_000,
  run: async ({ line }, dice) => {
    const before = line.lostAnswers();
    await line.trouble({
      kind: 'deaf',
      isLost: (sent) => WRITES.some((name) => sent.includes(name)) && dice.chance(0.25),
    });
    await until(() => line.lostAnswers() >= before + LOST, `${LOST} answers are lost`);
    await line.mend();
  },
  complaints: ({ lostAnswers }) => (lostAnswers < LOST ? ['no answers were lost'] : []),
};
