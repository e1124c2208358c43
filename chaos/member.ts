import { setTimeout as delay } from 'node:timers/promises';
import { type ServiceProcess, type Start, startProcess } from '#test/support/process.ts';

export type Role = 'api' | 'worker';

/** A process of the service, and those that come after it in its place. */
export type Member = {
  readonly name: string;
  readonly role: Role;
  /** Where it is, or was until it ended. */
  readonly url: () => string;
  readonly pid: () => number;
  /** KILL and TERM end it, and another one comes in its place; STOP and CONT halt it and let it go on. */
  readonly signal: (name: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT') => void;
  /** How the process that runs now ends: its exit code, null by a signal. */
  readonly ended: () => Promise<number | null>;
  /** Everything that its processes have printed, of each as much as is kept. */
  readonly printed: () => string;
  readonly stop: () => Promise<void>;
};

/** A supervisor’s pause before it starts again what could not start, such as while the database is away. */
const PAUSE_MS = 200;
const KEPT_CHARACTERS = 20_000;
const ENDS_WITHIN_MS = 20_000;

/** Starts a process and keeps one running. `onCasualty` is told of each that ended, but for those that a fault has ended. */
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
        // Its database may be away. Whether it comes back in time is for whoever measures how long healing takes.
        await delay(PAUSE_MS);
      }
    }
  }
}
