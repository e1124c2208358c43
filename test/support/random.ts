import { type Dice, diceOf, randomOf } from '#tools/traffic/random.ts';

export { type Dice, diceOf, randomOf };

/** The seed of this run. A failure prints the seed. To repeat the run, set TEST_SEED to it. */
export const SEED = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
