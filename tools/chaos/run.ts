// `npm run chaos -- --help` explains the options.
import { Command, InvalidArgumentError } from 'commander';
import { CONTROLS } from './controls.ts';
import { type Fault, FAULTS } from './fault.ts';
import { writeFigures } from './figures.ts';
import { tryControls, tryFaults } from './iterations.ts';

/*
 * Runs every fault of `faults/` under load, and every control of `controls.ts`, whose deliberate bug must be detected.
 * Exits with 1 if a report was lost, doubled or left undecided, or if a fault had another unexpected effect. Also exits
 * with 1 if the service did not recover in time, or if a deliberate bug was not detected.
 */

type Options = {
  readonly short: boolean;
  readonly only?: string[];
  readonly seed: number;
  readonly iterations?: number;
  readonly write: boolean;
};

const options = new Command('chaos')
  .description('Start a service and its database, break them under load, and check whether anything is lost.')
  .option('--short', 'a few iterations of each, in less than five minutes', false)
  .option('--only <names>', 'the names of faults and controls, separated by commas', (names) => names.split(','))
  .option(
    '--seed <n>',
    'the first seed; the seed of each failed iteration is printed',
    whole,
    Math.ceil(Math.random() * 2 ** 30),
  )
  .option('--iterations <n>', 'the number of iterations of each fault', whole)
  .option('--write', 'write the figures into docs/explanation/reliability.md', false)
  .showHelpAfterError()
  .parse()
  .opts<Options>();

const began = performance.now();
const isAsked = ({ name }: { readonly name: string }): boolean => options.only?.includes(name) ?? true;
const unknown = options.only?.filter((name) => ![...FAULTS, ...CONTROLS].some((each) => each.name === name)) ?? [];
if (unknown.length > 0)
  throw new Error(`Unknown faults or controls: ${unknown.join(', ')}. Use names from faults/ and controls.ts.`);

print(`seed ${options.seed}`);
const iterationsOf = ({ iterations }: Fault): number =>
  options.iterations ?? (options.short ? iterations.short : iterations.full);
const tried = FAULTS.filter((fault) => isAsked(fault) && iterationsOf(fault) > 0);
const outcomes = await tryFaults(tried, iterationsOf, options.seed, print);
const caught = await tryControls(CONTROLS.filter(isAsked), FAULTS, options.seed, print);
const minutes = (performance.now() - began) / 60_000;
if (options.write) writeFigures(outcomes, caught, minutes);

const failed = [
  ...outcomes
    .filter(({ iterations }) => iterations.some(({ complaints }) => complaints.length > 0))
    .map(({ fault }) => fault.name),
  ...caught.filter(({ by }) => by === undefined).map(({ control }) => control.name),
];
const iterations = outcomes.reduce((sum, { iterations }) => sum + iterations.length, 0);
const verdict =
  failed.length === 0
    ? 'nothing lost, nothing doubled, everything decided, every control caught.'
    : `${failed.join(', ')} failed.`;
const size = `${outcomes.length} faults, ${iterations} iterations, ${caught.length} controls in ${minutes.toFixed(1)} minutes`;
print('', `${size}: ${verdict}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}

function print(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
