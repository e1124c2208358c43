import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ENCRYPTION_KEY } from './encryption-key.ts';

export type ServiceProcess = {
  readonly url: string;
  /** Everything that it has printed so far. */
  readonly printed: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** The exit code, null where a signal ended it. */
  readonly exited: Promise<number | null>;
};

const ROOT = join(import.meta.dirname, '..', '..');

/** The service as an operator starts it: a process of its own, with these settings and nothing else from us. */
export async function startProcess(settings: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['src/cli.js', 'start'], {
    cwd: ROOT,
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
  return { url, printed: () => lines.join('\n'), signal: (signal) => child.kill(signal), exited };
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
