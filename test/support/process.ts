import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ENCRYPTION_KEY } from './encryption-key.ts';

export type ServiceProcess = {
  readonly url: string;
  readonly pid: number;
  /** Returns everything that the process has printed so far. */
  readonly printed: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Resolves with the exit code, or null if a signal ended the process. */
  readonly exited: Promise<number | null>;
};

const ROOT = join(import.meta.dirname, '..', '..');

export type Start = {
  /** Options for Node. */
  readonly flags?: readonly string[];
  /**
   * A program that starts the service, with the program's options. The program must replace its own process with the
   * service, as `faketime` does.
   */
  readonly under?: readonly string[];
  /** The folder with the service's sources. Default: this repository. */
  readonly folder?: string;
};

/**
 * Starts the service in a separate process, and resolves once it is ready. The process gets `settings`, a few defaults,
 * and only PATH and HOME from the test's environment.
 */
export async function startProcess(
  settings: Readonly<Record<string, string>>,
  { flags = [], under = [], folder = ROOT }: Start = {},
): Promise<ServiceProcess> {
  const [file, ...args] = [...under, process.execPath, ...flags, 'src/cli.js', 'start'];
  const child = spawn(file, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      LOG_LEVEL: 'error',
      WHENCE_ENCRYPTION_KEY: ENCRYPTION_KEY,
      TRUSTED_PROXIES: '127.0.0.1',
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

/** Runs a `whence` command in a separate process. Returns its output, and its exit code or null after a signal. */
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
