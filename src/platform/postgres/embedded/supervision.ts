import type { ChildProcess } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { endOrphan } from './orphan.ts';
import { becomeReady } from './readiness.ts';
import { endOfLog, limitLog, logSize } from './server-log.ts';
import { reasonOf, spawnServer, stopServer, waitForExit, type Launch } from './server-process.ts';

const LOG_CHECK_MS = 60_000;
const PAUSE_AFTER_FAILURE_MS = 500;
/** The interval at which repeated failures to start the server are logged, in milliseconds. */
const REMINDER_MS = 60_000;
/** Matches the log of a server that can't start yet, but probably can soon. */
const PASSING_TROUBLE = /pre-existing shared memory block|could not bind|lock file "postmaster\.pid" already exists/;
const TROUBLE_LIMIT_MS = 60_000;
const DISK_IS_FULL = /No space left on device/;

/**
 * Starts a server, waits until it accepts connections, and keeps it running until `stop`. Throws `DataFolderInUse` if
 * another server runs in the folder and doesn't end. Throws an Error with the end of the log if the server doesn't
 * start.
 */
export async function superviseServer(launch: Launch, onLaunch?: () => void): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  let current = await startServer(launch, onLaunch);

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      await waitForExit(current);
      if (stopping.signal.aborted) return;
      launch.log(`PostgreSQL stopped unexpectedly (${reasonOf(current)}); restarting it`);
      await startAgain();
    }
    await stopServer(current);
  }

  /**
   * Starts the server again after it ended unexpectedly, and retries without limit. The cause, such as a full disk, can
   * be fixed at any time without restarting this process.
   */
  async function startAgain(): Promise<void> {
    let attempt = launch;
    let loggedAt = -Infinity;
    while (!stopping.signal.aborted) {
      try {
        await startServer(attempt, (server) => (current = server));
        if (loggedAt > -Infinity) launch.log('PostgreSQL runs again');
        return;
      } catch (error) {
        if (!stopping.signal.aborted && performance.now() - loggedAt > REMINDER_MS) {
          launch.log(`${String(error)}\nWhence keeps trying to start PostgreSQL, so you need not start Whence again.`);
          loggedAt = performance.now();
        }
        attempt = { ...launch, log: () => {} };
        await delay(PAUSE_AFTER_FAILURE_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      }
    }
  }

  const running = keepRunning();
  const logCheck = setInterval(() => limitLog(launch.folder), LOG_CHECK_MS).unref();
  return {
    async stop() {
      stopping.abort();
      clearInterval(logCheck);
      await stopServer(current);
      await running;
    },
  };
}

/**
 * Starts a server and waits until it is ready. Retries temporary failures for up to TROUBLE_LIMIT_MS. Calls `spawned`
 * as soon as the process exists, so that the server can be stopped while it replays its log.
 */
async function startServer(launch: Launch, spawned: (server: ChildProcess) => void = () => {}): Promise<ChildProcess> {
  const deadline = performance.now() + TROUBLE_LIMIT_MS;
  for (;;) {
    const predecessor = await endOrphan(launch.folder, launch.log);
    limitLog(launch.folder);
    const logFrom = logSize(launch.folder);
    const server = await spawnServer(launch, predecessor);
    spawned(server);
    try {
      await becomeReady(server, launch);
      return server;
    } catch (cause) {
      await stopServer(server);
      const said = endOfLog(launch.folder, logFrom);
      // Retry after a temporary failure. For example, the child processes of a killed server keep its memory briefly.
      if (!PASSING_TROUBLE.test(said) || performance.now() > deadline) {
        const why = DISK_IS_FULL.test(said) ? 'its disk is full' : (cause as Error).message;
        throw new Error(
          `PostgreSQL did not start: ${why}. Fix the cause, then start Whence again. PostgreSQL’s log ends with:\n` +
            said,
          { cause },
        );
      }
      await delay(100);
    }
  }
}
