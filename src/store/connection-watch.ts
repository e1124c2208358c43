import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Client, type ClientConfig, DatabaseError, type Pool, type PoolClient } from 'pg';
import { isUnavailable } from './database.ts';

/** How often it is looked who waits, while any connection is in use. */
const LOOK_MS = 25;
/** Whoever has heard nothing for so long lets the server be asked for a sign of life. */
const LONG_MS = 200;
/**
 * Nothing has come from the server for so long, on any connection, while somebody waits: it is quiet, and no caller waits any
 * more. Less than the second that they are promised.
 */
const QUIET_AFTER_MS = 750;
/**
 * Only then, if a question has had no byte of an answer for so long either: one that is slow greets whoever connects. While
 * somebody waits it is asked as often.
 */
const HEARD_WITHIN_MS = 350;
/** A server that gives none for so long is silent. Busy ones take some hundred milliseconds, frozen machines a second. */
const SILENT_AFTER_MS = 3_000;
/**
 * It is asked anew so much later where it has not answered: what the line has lost is never answered. Sooner than it would be
 * quiet, since a pooler whose places are all taken greets whoever connects, and answers nobody for a while.
 */
const ASK_AGAIN_MS = 500;
/** How soon a full server is tried again by the connections that there are: all of them may be busy for a moment. */
const TELL_AGAIN_MS = 50;
/** What the server has not been at work for, for so long, waits in vain: its statement or its answer is lost. */
const LOST_AFTER_MS = 1_000;

/** As `openDatabase` names its connections. */
const APPLICATION = 'whence';

/** What the driver knows of a connection and doesn’t say by a method. */
type Wire = (Client | PoolClient) & {
  /** The server’s number of it; behind a pooler the pooler’s; none until it is connected. */
  readonly processID: number | null;
  /** False while it waits for the answer to a statement, or is being connected. */
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: Socket };
};

/** A watch over connections. */
export type Watch = {
  /** What `work` answers; fails as soon as nothing is heard of the server, whatever becomes of the work after that. */
  readonly whileHeard: <Answer>(work: () => Promise<Answer>) => Promise<Answer>;
  readonly end: () => void;
};

/** By a connection of its own, since then. */
type Question = { readonly wire: Wire; since: number; bytesRead: number };

/** Since when a wire that waits has not heard anything. */
type Wait = { readonly bytesRead: number; readonly since: number };

/** As the errors of the system are: `isUnavailable` knows it by its code. */
class SilentServer extends Error {
  readonly code = 'ESILENT';
  override readonly message = 'nothing is heard of the database';
}

/**
 * Ends what would wait in vain. A machine that is gone, a line that is cut and a firewall that forgets end no connection:
 * TCP finds that out after a quarter of an hour, and a time limit has to leave the longest statement its time. So for
 * whoever hears nothing for long the server is asked, by a connection of its own, since all that there are may be lost while
 * the server is well.
 *
 * - Nothing comes from it, on any connection: it is quiet. Callers are refused at once until something does; the work goes on,
 *   and what was asked of a machine that had but paused gets done.
 * - It gives no sign of life for longer: it is silent. Every connection is cut, and until there is a sign nobody gets one.
 * - It does, and is at work for none who waits: what they wait for is lost. They are cut, and so are those that lie idle,
 *   which came the same way.
 *
 * What the server still holds for those that were cut ends as soon as it can be told. As long as no statement takes long
 * nothing is asked, and nothing is known of connections that a pooler lends.
 */
export function watchConnections(url: string, pools: readonly Pool[], silentAfterMs: number = SILENT_AFTER_MS): Watch {
  const wires = new Wires();
  /**
   * The server’s numbers of those that were cut, and since when they were connected: it knows nothing of that, and they hold a
   * place and what they have locked.
   */
  const abandoned = new Map<number, number>();
  /** Each asks for a sign of life, as long as it may take. */
  const questions = new Set<Question>();
  /** None of those that were asked since then has been answered. */
  let unansweredSince: number | undefined;
  /** When anything came last, on any connection. */
  let heardAt = -Infinity;
  let isQuiet = false;
  let isSilent = false;
  /** What gives up each caller who waits. */
  const callers = new Set<(error: Error) => void>();
  let askedAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let lookedAt = 0;
  for (const pool of pools) {
    wires.follow(pool, use);
    refuse(pool, () => isSilent);
  }
  return {
    whileHeard,
    end: () => {
      clearInterval(timer);
      questions.forEach(giveUp);
    },
  };

  /** As little as it can be, since every call passes here: a race of promises was a ninth of what a visit allocates. */
  function whileHeard<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (isQuiet || isSilent) return Promise.reject(new SilentServer());
    return new Promise((resolve, reject) => {
      callers.add(reject);
      void answer();

      async function answer(): Promise<void> {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        } finally {
          callers.delete(reject);
        }
      }
    });
  }

  function use(wire: Wire): void {
    // For one who waited in the pool’s queue.
    if (isSilent) setImmediate(() => wires.cut([wire]));
    if (timer !== undefined) return;
    lookedAt = performance.now();
    timer = setInterval(look, LOOK_MS).unref();
  }

  function look(): void {
    const now = performance.now();
    // While this process stood still it heard nothing: that is no silence of the server. To come a little late is no stop.
    const late = now - lookedAt - LOOK_MS;
    const blind = late > LOOK_MS ? late : 0;
    lookedAt = now;
    heardAt += blind;
    if (wires.look(now)) hearSomething(now);
    for (const question of questions) {
      if (hasSpoken(question)) hearSomething(now);
      question.since += blind;
      if (now - question.since > silentAfterMs) giveUp(question);
    }
    if (unansweredSince !== undefined) {
      unansweredSince += blind;
      if (now - unansweredSince > silentAfterMs) fallSilent();
    }
    const waitedMs = wires.longestWait(now);
    const isAsked = unansweredSince !== undefined && now - unansweredSince > HEARD_WITHIN_MS;
    if (isAsked && Math.min(waitedMs, now - heardAt) > QUIET_AFTER_MS) fallQuiet();
    const isLong = waitedMs > LONG_MS;
    const isToAsk = isLong || isSilent || unansweredSince !== undefined || abandoned.size > 0;
    const pause = isLong && unansweredSince === undefined ? HEARD_WITHIN_MS : ASK_AGAIN_MS;
    if (isToAsk && now - askedAt > pause) ask(now);
    if (wires.areUsed || isToAsk) return;
    clearInterval(timer);
    timer = undefined;
  }

  function ask(since: number): void {
    const client = new Client({ connectionString: url, application_name: APPLICATION });
    client.on('error', () => {});
    const question = { wire: client as unknown as Wire, since, bytesRead: 0 };
    questions.add(question);
    askedAt = since;
    unansweredSince ??= since;
    void hear(question);
  }

  async function hear(question: Question): Promise<void> {
    const { wire } = question;
    let isRefused = false;
    try {
      await wire.connect();
      if (await knowsNumbers(wire)) await cutLost(wire);
      await endAbandoned(wire);
    } catch {
      // One that refuses has answered too; whoever calls is told the reason.
      isRefused = true;
    }
    if (!questions.has(question)) return;
    isQuiet = false;
    isSilent = false;
    unansweredSince = undefined;
    questions.forEach(giveUp);
    // It may be that those abandoned take up every place that it has.
    if (isRefused) for (const pool of pools) void endByOneOf(pool);
  }

  async function cutLost(server: Wire): Promise<void> {
    const since = performance.now() - LOST_AFTER_MS;
    const atWork = await findAtWork(server, wires.waiting(since));
    // The answer may have come meanwhile, to a process that was held up itself.
    const lost = wires.waiting(since).filter((wire) => !atWork.has(wire.processID));
    if (lost.length > 0) cutAll([...wires.idle(), ...lost]);
  }

  /** By a connection that the pool has, or gets a place for; tried until the server is asked anew. */
  async function endByOneOf(pool: Pool): Promise<void> {
    const end = performance.now() + ASK_AGAIN_MS;
    while (abandoned.size > 0 && performance.now() < end) {
      try {
        const connection = await pool.connect();
        await endAbandoned(connection as unknown as Wire).finally(() => connection.release());
      } catch {
        await setTimeout(TELL_AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  async function endAbandoned(server: Wire): Promise<void> {
    if (abandoned.size === 0) return;
    const told = [...abandoned];
    try {
      if (await knowsNumbers(server)) await end(server, told);
    } catch (error) {
      // A server that forbids it does so the next time as well.
      if (!(error instanceof DatabaseError) || isUnavailable(error)) throw error;
    }
    for (const [pid, since] of told) if (abandoned.get(pid) === since) abandoned.delete(pid);
  }

  function hearSomething(now: number): void {
    heardAt = now;
    isQuiet = false;
  }

  function fallQuiet(): void {
    isQuiet = true;
    giveUpCallers();
  }

  function giveUpCallers(): void {
    for (const giveUpCaller of callers) giveUpCaller(new SilentServer());
  }

  function fallSilent(): void {
    if (isSilent) return;
    isSilent = true;
    giveUpCallers();
    cutAll(wires.all());
  }

  function cutAll(those: readonly Wire[]): void {
    for (const wire of those) {
      const since = wires.connectedSince(wire);
      if (wire.processID !== null && since !== undefined) abandoned.set(wire.processID, since);
    }
    wires.cut(those);
  }

  function giveUp(question: Question): void {
    questions.delete(question);
    question.wire.connection.stream.destroy();
  }
}

/** The connections of some pools, and which of them wait. */
class Wires {
  readonly #all = new Set<Wire>();
  readonly #taken = new Set<Wire>();
  readonly #connected = new WeakMap<Wire, number>();
  readonly #read = new WeakMap<Wire, number>();
  readonly #waits = new Map<Wire, Wait>();

  /** `onUse` hears of each that is being connected, or taken from the pool. */
  follow(pool: Pool, onUse: (wire: Wire) => void): void {
    const use = (wire: Wire): void => {
      this.#taken.add(wire);
      onUse(wire);
    };
    const add = (wire: Wire): void => {
      this.#all.add(wire);
      wire.once('connect', () => this.#connected.set(wire, performance.now()));
      wire.once('end', () => [this.#all, this.#taken, this.#waits].forEach((those) => those.delete(wire)));
      use(wire);
    };
    // The pool tells of a connection when there is one, and to be connected is to wait as well.
    const made = pool as unknown as { Client: typeof Client };
    made.Client = class extends made.Client {
      constructor(config?: ClientConfig) {
        super(config);
        add(this as unknown as Wire);
      }
    };
    pool.on('acquire', (client) => use(client as unknown as Wire));
    pool.on('release', (_error, client) => this.#taken.delete(client as unknown as Wire));
  }

  get areUsed(): boolean {
    return this.#taken.size > 0;
  }

  connectedSince(wire: Wire): number | undefined {
    return this.#connected.get(wire);
  }

  all(): Wire[] {
    return [...this.#all];
  }

  idle(): Wire[] {
    return this.all().filter((wire) => !this.#taken.has(wire));
  }

  /** Whether anything has come on any of them since the last look. */
  look(now: number): boolean {
    let isHeard = false;
    for (const wire of this.#all) {
      const { bytesRead } = wire.connection.stream;
      if (bytesRead !== (this.#read.get(wire) ?? 0)) isHeard = true;
      this.#read.set(wire, bytesRead);
      if (wire.readyForQuery) this.#waits.delete(wire);
      else if (!this.#hasHeardNothing(wire)) this.#waits.set(wire, { bytesRead, since: now });
    }
    return isHeard;
  }

  longestWait(now: number): number {
    return Math.max(0, ...this.waiting(now).map((wire) => now - (this.#waits.get(wire)?.since ?? now)));
  }

  /** Those that have waited since then, or for longer. */
  waiting(since: number): Wire[] {
    return this.all().filter((wire) => {
      const wait = this.#waits.get(wire);
      return wait !== undefined && wait.since <= since && this.#hasHeardNothing(wire);
    });
  }

  /** Since the last look. */
  #hasHeardNothing(wire: Wire): boolean {
    return !wire.readyForQuery && this.#waits.get(wire)?.bytesRead === wire.connection.stream.bytesRead;
  }

  /** Without a farewell: nobody hears it. */
  cut(wires: readonly Wire[]): void {
    // The pool lets go of those at once, before whoever hears that theirs is lost takes the next.
    for (const wire of wires) {
      if (!this.#taken.has(wire)) wire.emit('error', new Error('Connection terminated: its other end has vanished'));
    }
    for (const wire of wires) wire.connection.stream.destroy();
  }
}

/** Whether anything has come since this was asked last. */
function hasSpoken(question: Question): boolean {
  const { bytesRead } = question.wire.connection.stream;
  const isMore = bytesRead !== question.bytesRead;
  question.bytesRead = bytesRead;
  return isMore;
}

/** Lets nobody wait for a connection of `pool` while that is of no use. */
function refuse(pool: Pool, isUseless: () => boolean): void {
  const connect = pool.connect.bind(pool) as (callback?: unknown) => unknown;
  pool.connect = ((callback?: (error: Error) => void) => {
    if (!isUseless()) return connect(callback);
    const error = new SilentServer();
    if (callback === undefined) return Promise.reject(error);
    process.nextTick(callback, error);
    return undefined;
  }) as typeof pool.connect;
}

/** Behind a pooler numbers are its own, and the server’s are another’s. */
async function knowsNumbers(server: Wire): Promise<boolean> {
  const { rows } = await server.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid === server.processID;
}

/** Not those that have begun since we were connected: they have the number of one that has ended. */
async function end(server: Wire, abandoned: readonly (readonly [pid: number, since: number])[]): Promise<void> {
  const now = performance.now();
  await server.query(
    `select pg_terminate_backend(a.pid)
     from unnest($1::int[], $2::float8[]) g (pid, ms) join pg_stat_activity a on a.pid = g.pid
     where a.application_name = $3 and a.backend_start < clock_timestamp() - g.ms * interval '1 millisecond'`,
    [abandoned.map(([pid]) => pid), abandoned.map(([, since]) => now - since), APPLICATION],
  );
}

/** The server’s numbers of those that it does something for. What it did until just now may have an answer on its way. */
async function findAtWork(server: Wire, wires: readonly Wire[]): Promise<Set<number | null>> {
  if (wires.length === 0) return new Set();
  const { rows } = await server.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where pid = any ($1::int[]) and (
       state is null or state not like 'idle%' or state_change > clock_timestamp() - $2::float8 * interval '1 millisecond')`,
    [wires.map(({ processID }) => processID), LOST_AFTER_MS],
  );
  return new Set(rows.map(({ pid }) => pid));
}
