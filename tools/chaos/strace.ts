import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A fault that strace(1) injects into system calls: `error=EIO`, `delay_enter=200000` (microseconds), `…:when=3+7`. */
export type Injection = { readonly calls: readonly string[]; readonly what: string };

/**
 * Makes system calls of the given processes and their children fail or take longer. Resolves once the fault is active,
 * with a function that ends it. Throws an error if strace can't attach to the processes.
 */
export async function inject(processes: readonly number[], { calls, what }: Injection): Promise<() => Promise<void>> {
  const names = calls.join(',');
  const targets = processes.flatMap((pid) => ['-p', String(pid)]);
  const options = ['-f', '-o', '/dev/null', '-e', `trace=${names}`, '-e', `inject=${names}:${what}`, ...targets];
  const strace = spawn('strace', options, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(strace, 'exit');
  const attached = Promise.withResolvers<void>();
  let said = '';
  createInterface({ input: strace.stderr }).on('line', (line) => {
    said += `${line}\n`;
    if (line.includes('attached')) attached.resolve();
  });
  void ended.then(() => attached.reject(new Error(`strace ended before it attached to the processes:\n${said}`)));
  await attached.promise;
  return async () => {
    // strace detaches from all processes when it ends.
    strace.kill('SIGTERM');
    await ended;
  };
}

/** Returns the reason why strace can't be used on this machine, or undefined if it can. */
export function whyNoStrace(): string | undefined {
  const { status, error } = spawnSync('strace', ['-o', '/dev/null', '-e', 'inject=fdatasync:error=EIO', 'true']);
  if (error !== undefined) return 'strace is not installed';
  return status === 0 ? undefined : 'strace is not allowed to trace processes';
}
