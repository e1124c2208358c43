import { type Dice, diceOf, randomOf } from '#tools/traffic/random.ts';

export { type Dice, diceOf, randomOf };

/** The seed of the random numbers. A failure prints the seed, and TEST_SEED sets it. */
export const SEED = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
