import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../fault.ts';

export const fault: Fault = {
  name: 'network-reset',
  what: 'Connections to the database are reset, at once or by and by, or nobody listens there for 1 to 4 s',
  trials: { short: 1, full: 12 },
  healsWithinMs: 3_000,
  run: async ({ line }, dice) => {
    if (dice.chance(0.5)) {
      await line.trouble({ kind: 'closed' });
      await delay(1_000 + dice.roll(3_000));
    } else {
      for (let times = 1 + dice.roll(8); times > 0; times -= 1) {
        await line.trouble({ kind: 'reset' });
        await delay(dice.roll(100));
        await line.mend();
        await delay(dice.roll(400));
      }
    }
    await line.mend();
  },
};
