import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { Control } from './control.ts';
import { tryControls } from './try-controls.ts';
import type { Fault } from './fault.ts';
import { tryFaults } from './try-faults.ts';
import { writeFigures } from './figures.ts';

/*
 * npm run chaos -- --help
 *
 * Runs every fault of `faults/` under load, and every naive service of `controls/`, which must be caught. Exits with 1
 * if anything was lost, doubled or left undecided, did not recover in time, or was not caught.
 */

type Options = {
  readonly short: boolean;
  readonly only?: string[];
  readonly seed: number;
  readonly trials?: number;
  readonly write: boolean;
};

const options = new Command('chaos')
  .description('Break a service and its database under load, and see whether anything is lost. It starts its own.')
  .option('--short', 'a few trials of each, in less than five minutes', false)
  .option('--only <names>', 'faults and controls by their names, with commas between', (names) => names.split(','))
  .option(
    '--seed <n>',
    'begin with this seed; that of each trial is printed',
    whole,
    Math.floor(Math.random() * 2 ** 30),
  )
  .option('--trials <n>', 'so many of each fault', whole)
  .option('--write', 'write the figures into docs/explanation/reliability.md', false)
  .showHelpAfterError()
  .parse()
  .opts<Options>();

const began = performance.now();
const [faults, controls] = [await read<Fault>('faults', 'fault'), await read<Control>('controls', 'control')];
const isAsked = ({ name }: { readonly name: string }): boolean => options.only?.includes(name) ?? true;
const unknown = options.only?.filter((name) => ![...faults, ...controls].some((each) => each.name === name)) ?? [];
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}.`);

print(`seed ${options.seed}`);
const trialsOf = ({ trials }: Fault): number => options.trials ?? (options.short ? trials.short : trials.full);
const tried = faults.filter((fault) => isAsked(fault) && trialsOf(fault) > 0);
const outcomes = await tryFaults(tried, trialsOf, options.seed, print);
const caught = await tryControls(controls.filter(isAsked), faults, options.seed, print);
const minutes = (performance.now() - began) / 60_000;
if (options.write) writeFigures(outcomes, caught, minutes);

const wrong = outcomes.filter(({ trials }) => trials.some(({ complaints }) => complaints.length > 0));
const missed = caught.filter(({ by }) => by === undefined);
print(
  '',
  `${outcomes.length} faults, ${outcomes.reduce((sum, { trials }) => sum + trials.length, 0)} trials, ` +
    `${caught.length} controls in ${minutes.toFixed(1)} minutes: ` +
    (wrong.length + missed.length === 0
      ? 'nothing lost, nothing doubled, everything decided, every control caught.'
      : `${[...wrong.map(({ fault }) => fault.name), ...missed.map(({ control }) => control.name)].join(', ')} failed.`),
);
process.exitCode = wrong.length + missed.length === 0 ? 0 : 1;

async function read<What extends { readonly name: string }>(folder: string, exported: string): Promise<What[]> {
  const files = readdirSync(join(import.meta.dirname, folder)).sort();
  return Promise.all(
    files.map(async (file) => {
      const module = (await import(`./${folder}/${file}`)) as Record<string, What | undefined>;
      const what = module[exported];
      if (`${what?.name}.ts` !== file) throw new Error(`chaos/${folder}/${file} must export a ${exported} of its name`);
      return what as What;
    }),
  );
}

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}

function print(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
