import { type Dice, diceOf, randomOf } from '#tools/traffic/random.ts';

export { type Dice, diceOf, randomOf };

/** The seed of this run. A failure prints it, and TEST_SEED sets it to repeat the run. */
export const SEED = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
