import type { ChildProcess } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { endOrphan } from './orphan.ts';
import { becomeReady } from './readiness.ts';
import { endOfLog, limitLog, logSize } from './server-log.ts';
import { end, ended, reasonOf, spawnServer, type Launch } from './server-process.ts';

const LOG_CHECK_MS = 60_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;
/** What a server says that can't start yet, but will in a moment. */
const PASSING_TROUBLE = /pre-existing shared memory block|could not bind/;
const TROUBLE_LIMIT_MS = 60_000;

/**
 * Starts a server, waits until it answers, and keeps one running until `stop`. Throws `DataFolderInUse` when a
 * server of others runs there and does not end, and an Error with the end of its log when ours does not come up.
 */
export async function superviseServer(launch: Launch, onLaunch?: () => void): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  let current = await startServer(launch, onLaunch);

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      await ended(current);
      if (stopping.signal.aborted) return;
      launch.log(`PostgreSQL ended by itself (${reasonOf(current)}); starting it again`);
      await startServer(launch, (server) => (current = server)).catch(async (error) => {
        if (!stopping.signal.aborted) launch.log(String(error));
        await delay(PAUSE_AFTER_FAILURE_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      });
    }
    await end(current);
  }

  const running = keepRunning();
  const logCheck = setInterval(() => limitLog(launch.folder), LOG_CHECK_MS).unref();
  return {
    async stop() {
      stopping.abort();
      clearInterval(logCheck);
      await end(current);
      await running;
    },
  };
}

/** `spawned` learns of the server before it is ready, so that it can be ended while it replays its log. */
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
      await end(server);
      const said = endOfLog(launch.folder, logFrom);
      // The children of a server that was killed hold its memory for a moment longer.
      if (!PASSING_TROUBLE.test(said) || performance.now() > deadline) {
        throw new Error(`PostgreSQL did not start: ${(cause as Error).message}. Its log ends with:\n${said}`, {
          cause,
        });
      }
      await delay(100);
    }
  }
}
