import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Client, type ClientConfig, DatabaseError, type Pool, type PoolClient } from 'pg';
import { isUnavailable } from './database.ts';

/** The interval at which connections are checked while any is in use. */
const LOOK_MS = 25;
/** The time without a response after which a waiting connection has the server probed. */
const LONG_MS = 200;
/**
 * The server is unresponsive (`isQuiet`) if nothing has arrived on any connection for this long while a statement
 * waits. Callers then stop waiting. It must be less than the second that callers are promised.
 */
const QUIET_AFTER_MS = 750;
/**
 * A second condition for an unresponsive server: a probe hasn't received a byte for this long. A slow server still
 * greets new connections. While a statement waits, the first probe is sent this long after the previous one.
 */
const HEARD_WITHIN_MS = 350;
/**
 * A server that shows no sign of life for this long is down (`isSilent`). Busy servers take some hundred milliseconds,
 * and frozen machines a second.
 */
const SILENT_AFTER_MS = 3_000;
/**
 * The interval between unanswered probes. A probe that the network has lost is never answered. It is shorter than
 * `QUIET_AFTER_MS`, because a pooler without free places greets new connections but doesn't answer for a while.
 */
const ASK_AGAIN_MS = 500;
/** The interval at which existing connections retry on a full server. All of them may be busy for a moment. */
const TELL_AGAIN_MS = 50;
/** If the server hasn't worked for a waiting connection for this long, the statement or its response is lost. */
const LOST_AFTER_MS = 1_000;

/** The application name that `openDatabase` gives its connections. */
const APPLICATION = 'whence';

/** The properties of a connection that the driver has but doesn't expose with a method. */
type Wire = (Client | PoolClient) & {
  /** The server's process id for the connection, or the pooler's id behind a pooler. Null until it is connected. */
  readonly processID: number | null;
  /** False while it waits for the response to a statement, or is being connected. */
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: Socket };
};

/** A watch over connections. */
export type Watch = {
  /**
   * Returns the answer of `work`. Rejects as soon as the server is unresponsive, whatever the later outcome of `work`.
   */
  readonly whileHeard: <Answer>(work: () => Promise<Answer>) => Promise<Answer>;
  readonly end: () => void;
};

/** A probe on a connection of its own, with its start time. */
type Question = { readonly wire: Wire; since: number; bytesRead: number };

/** The time since which a waiting connection has received nothing. */
type Wait = { readonly bytesRead: number; readonly since: number };

/** Has a code like a system error, by which `isUnavailable` recognizes it. */
class SilentServer extends Error {
  readonly code = 'ESILENT';
  override readonly message = 'nothing is heard of the database';
}

/**
 * Ends waits that would never finish. If a machine is down, a line is cut or a firewall drops its state, no connection
 * ends. TCP detects that only after a quarter of an hour, and a timeout must allow for the longest statement. So if a
 * connection receives nothing for long, the server is probed. The probe uses a new connection, because all existing
 * ones may be lost while the server is healthy.
 *
 * - Nothing arrives on any connection: the server is unresponsive. Callers are rejected immediately until something
 *   arrives. Their statements continue, so they complete on a machine that had only paused.
 * - The server shows no sign of life for longer: it is down. All connections are closed, and no new ones are handed out
 *   until there is a sign of life.
 * - The server responds, but isn't working for a waiting connection: the statement or its response is lost. That
 *   connection is closed, and so are idle connections, which used the same network path.
 *
 * Server processes of closed connections are terminated as soon as the server is reachable. While all statements are
 * fast, the server isn't probed. Connections that a pooler lends can't be matched with server processes.
 */
export function watchConnections(url: string, pools: readonly Pool[], silentAfterMs: number = SILENT_AFTER_MS): Watch {
  const wires = new Wires();
  /**
   * The server's process ids of closed connections, with the time at which they were connected. The server doesn't know
   * that they are closed, so they still use places and hold locks.
   */
  const abandoned = new Map<number, number>();
  /** The running probes. Each one may take up to `silentAfterMs`. */
  const questions = new Set<Question>();
  /** The time of the first probe since the last answered one. */
  let unansweredSince: number | undefined;
  /** The time at which anything last arrived on any connection. */
  let heardAt = -Infinity;
  let isQuiet = false;
  let isSilent = false;
  /** The functions that reject each waiting caller. */
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

  /**
   * Does little work, since every call passes through here. A race of promises caused a ninth of a visit's allocations.
   */
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
    // For a client that was queued in the pool.
    if (isSilent) setImmediate(() => wires.cut([wire]));
    if (timer !== undefined) return;
    lookedAt = performance.now();
    timer = setInterval(look, LOOK_MS).unref();
  }

  function look(): void {
    const now = performance.now();
    // While this process was stopped it received nothing, which doesn't mean that the server was unresponsive. A
    // slightly late timer doesn't count as a stop.
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
      // A refusal is an answer too. Callers will get its reason from their own connections.
      isRefused = true;
    }
    if (!questions.has(question)) return;
    isQuiet = false;
    isSilent = false;
    unansweredSince = undefined;
    questions.forEach(giveUp);
    // The abandoned connections may use all places of the server.
    if (isRefused) for (const pool of pools) void endByOneOf(pool);
  }

  async function cutLost(server: Wire): Promise<void> {
    const since = performance.now() - LOST_AFTER_MS;
    const atWork = await findAtWork(server, wires.waiting(since));
    // The response may have arrived meanwhile if this process was delayed itself.
    const lost = wires.waiting(since).filter((wire) => !atWork.has(wire.processID));
    if (lost.length > 0) cutAll([...wires.idle(), ...lost]);
  }

  /** Terminates abandoned connections over a connection of the pool. Retries until the next probe is due. */
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
      // A server that forbids this will also forbid it the next time.
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

/** The connections of some pools, including which of them wait. */
class Wires {
  readonly #all = new Set<Wire>();
  readonly #taken = new Set<Wire>();
  readonly #connected = new WeakMap<Wire, number>();
  readonly #read = new WeakMap<Wire, number>();
  readonly #waits = new Map<Wire, Wait>();

  /** Calls `onUse` for each connection that is being connected or taken from the pool. */
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
    // The pool reports a connection only once it is connected, but connecting is also a wait.
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

  /** Returns whether anything has arrived on any connection since the previous check. */
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

  /** Returns the connections that have been waiting since `since` or longer. */
  waiting(since: number): Wire[] {
    return this.all().filter((wire) => {
      const wait = this.#waits.get(wire);
      return wait !== undefined && wait.since <= since && this.#hasHeardNothing(wire);
    });
  }

  /** Compares with the previous check. */
  #hasHeardNothing(wire: Wire): boolean {
    return !wire.readyForQuery && this.#waits.get(wire)?.bytesRead === wire.connection.stream.bytesRead;
  }

  /** Closes connections without a termination message, since the server would not receive it. */
  cut(wires: readonly Wire[]): void {
    // The pool must remove idle ones first. Otherwise, a caller whose connection is lost could get one of them next.
    for (const wire of wires) {
      if (!this.#taken.has(wire)) wire.emit('error', new Error('Connection terminated: its other end has vanished'));
    }
    for (const wire of wires) wire.connection.stream.destroy();
  }
}

/** Returns whether anything has arrived since the previous call. */
function hasSpoken(question: Question): boolean {
  const { bytesRead } = question.wire.connection.stream;
  const isMore = bytesRead !== question.bytesRead;
  question.bytesRead = bytesRead;
  return isMore;
}

/** Rejects requests for a connection of `pool` while `isUseless` returns true. */
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

/** Returns whether the process id is the server's own. A pooler has ids of its own. */
async function knowsNumbers(server: Wire): Promise<boolean> {
  const { rows } = await server.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid === server.processID;
}

/**
 * Terminates the server processes of abandoned connections. Skips processes that began after we connected, since they
 * reuse the id of a process that has ended.
 */
async function end(server: Wire, abandoned: readonly (readonly [pid: number, since: number])[]): Promise<void> {
  const now = performance.now();
  await server.query(
    `select pg_terminate_backend(a.pid)
     from unnest($1::int[], $2::float8[]) g (pid, ms) join pg_stat_activity a on a.pid = g.pid
     where a.application_name = $3 and a.backend_start < clock_timestamp() - g.ms * interval '1 millisecond'`,
    [abandoned.map(([pid]) => pid), abandoned.map(([, since]) => now - since), APPLICATION],
  );
}

/**
 * Returns the process ids of those connections that the server is working for. A process that worked until just now
 * counts, because its response may be in transit.
 */
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
