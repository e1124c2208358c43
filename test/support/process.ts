import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ENCRYPTION_KEY } from './encryption-key.ts';

export type ServiceProcess = {
  readonly url: string;
  readonly pid: number;
  /** Everything that it has printed so far. */
  readonly printed: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** The exit code, null where a signal ended it. */
  readonly exited: Promise<number | null>;
};

const ROOT = join(import.meta.dirname, '..', '..');
/** Of today, and of the first release. */
const ENTRIES = ['src/cli.js', 'src/cli.ts'];

export type Start = {
  /** What Node is told. */
  readonly flags?: readonly string[];
  /** A program that starts it, with its options: it must become the service, as `faketime` does. */
  readonly under?: readonly string[];
  /** Where its sources are: ours unless told. */
  readonly folder?: string;
};

/** The service as an operator starts it: a process of its own, with these settings and nothing else from us. */
export async function startProcess(
  settings: Readonly<Record<string, string>>,
  { flags = [], under = [], folder = ROOT }: Start = {},
): Promise<ServiceProcess> {
  const entry = ENTRIES.find((each) => existsSync(join(folder, each))) as string;
  const [file, ...args] = [...under, process.execPath, ...flags, entry, 'start'];
  const child = spawn(file, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      LOG_LEVEL: 'error',
      WHENCE_ENCRYPTION_KEY: ENCRYPTION_KEY,
      ...settings,
    },
  });
  const lines: string[] = [];
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => lines.push(line));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const url = await readUrl(child, lines);
  return {
    url,
    pid: child.pid as number,
    printed: () => lines.join('\n'),
    signal: (signal) => child.kill(signal),
    exited,
  };
}

function readUrl(child: ChildProcess, lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      lines.push(line);
      const url = /ready at (http:\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.on('exit', () => reject(new Error(`the service ended before it was ready:\n${lines.join('\n')}`)));
  });
}

/** A command of `whence` as an operator runs it; what it printed, and its exit code. */
export async function runCommand(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, ['src/cli.js', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, printed };
}
