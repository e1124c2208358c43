import { setTimeout as delay } from 'node:timers/promises';
import { type ServiceProcess, type Start, startProcess } from '#test/support/process.ts';

export type Role = 'api' | 'worker';

/** A process of the service, and its replacements after a restart. */
export type Member = {
  readonly name: string;
  readonly role: Role;
  /** Returns the URL of the current process. While no process runs, returns the URL of the previous process. */
  readonly url: () => string;
  readonly pid: () => number;
  /** Sends a signal. After KILL and TERM, a new process starts. STOP and CONT suspend and resume the process. */
  readonly signal: (name: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT') => void;
  /** Resolves with the exit code of the current process, or null if a signal ended it. */
  readonly ended: () => Promise<number | null>;
  /** Returns the end of the earlier processes' output, followed by the whole output of the current process. */
  readonly printed: () => string;
  readonly stop: () => Promise<void>;
};

/**
 * The supervisor's pause, in milliseconds, before it retries a failed start, for example while the database is down.
 */
const PAUSE_MS = 200;
const KEPT_CHARACTERS = 20_000;
const ENDS_WITHIN_MS = 20_000;

/**
 * Starts a process, and starts a new one whenever it ends. `onCasualty` is called for each process that ends without a
 * SIGKILL or SIGTERM from `signal`, or that exits with a code other than 0 after a SIGTERM.
 */
export async function startMember(
  role: Role,
  n: number,
  { settings, ...how }: Start & { readonly settings: Readonly<Record<string, string>> },
  onCasualty: (words: string) => void,
): Promise<Member> {
  const name = `${role} ${n}`;
  const start = (): Promise<ServiceProcess> => startProcess({ WHENCE_ROLE: role, LOG_LEVEL: 'warn', ...settings }, how);
  let current = await start();
  let before = '';
  let asked: 'SIGKILL' | 'SIGTERM' | undefined;
  let stopping = false;
  const running = keepRunning();

  return {
    name,
    role,
    url: () => current.url,
    pid: () => current.pid,
    signal: (signal) => {
      if (signal === 'SIGKILL' || signal === 'SIGTERM') asked = signal;
      current.signal(signal);
    },
    ended: () => current.exited,
    printed: () => before + current.printed(),
    stop: async () => {
      stopping = true;
      current.signal('SIGCONT');
      current.signal('SIGTERM');
      const impatience = setTimeout(() => current.signal('SIGKILL'), ENDS_WITHIN_MS);
      await running;
      clearTimeout(impatience);
    },
  };

  async function keepRunning(): Promise<void> {
    while (!stopping) {
      const code = await current.exited;
      if (stopping) return;
      const isAsked = asked === 'SIGKILL' ? code === null : asked === 'SIGTERM' && code === 0;
      if (!isAsked) onCasualty(`${name} ended by itself with ${code}:\n${current.printed().slice(-KEPT_CHARACTERS)}`);
      before = (before + current.printed()).slice(-KEPT_CHARACTERS);
      asked = undefined;
      await replace();
    }
  }

  async function replace(): Promise<void> {
    while (!stopping) {
      try {
        current = await start();
        if (!stopping) return;
        current.signal('SIGTERM');
        await current.exited;
      } catch {
        // The database may be down. The check of the recovery time decides whether the process is back in time.
        await delay(PAUSE_MS);
      }
    }
  }
}
