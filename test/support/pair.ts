import assert from 'node:assert/strict';
import { verify } from '#verify/verify.ts';
import { openCaller, type Reply } from '#test/support/caller.ts';
import { type ServiceProcess, startProcess } from '#test/support/process.ts';
import { startService, type TestService } from '#test/support/service.ts';

/** Two instances of the service on one database: one in this process, and one in its own process. */
export type Pair = {
  readonly service: TestService;
  readonly other: ServiceProcess;
  /** Sends a POST request with the secret key to a randomly chosen instance. */
  readonly post: (
    random: () => number,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Reply>;
  /** Waits until all reports are decided, then asserts that `verify` finds no breaches. */
  readonly isSound: () => Promise<void>;
  /** Stops both instances, and asserts that the separate process exits with 0. */
  readonly stop: () => Promise<void>;
};

/**
 * Starts two instances on one database. `otherName` is the application name of the second instance's database
 * connections. This name distinguishes these connections from the connections of this process.
 */
export async function startPair(settings: Readonly<Record<string, string>> = {}, otherName = 'whence'): Promise<Pair> {
  const service = await startService(settings);
  const url = new URL(service.databaseUrl);
  url.searchParams.set('application_name', otherName);
  const other = await startProcess({ DATABASE_URL: url.href, ...settings });
  const [here, there] = [openCaller(service.url), openCaller(other.url)];
  return {
    service,
    other,
    post: (random, path, body, headers = {}) =>
      (random() < 0.5 ? here : there).send('POST', path, { key: service.secretKey, body, headers }),
    isSound: async () => {
      await service.settled();
      assert.deepEqual((await verify(service.database)).breaches, []);
    },
    stop: async () => {
      here.leave();
      there.leave();
      other.signal('SIGTERM');
      assert.equal(await other.exited, 0);
      await service.stop();
    },
  };
}

/** Returns the number of replies with each status. */
export function tally(replies: readonly { readonly status: number }[]): Readonly<Record<string, number>> {
  const groups = Map.groupBy(replies, ({ status }) => status);
  return Object.fromEntries([...groups].map(([status, all]) => [status, all.length]));
}
