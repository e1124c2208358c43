import { setTimeout } from 'node:timers/promises';
import * as fc from 'fast-check';
import { openCaller } from '#test/support/caller.ts';
import { documentedAnswers, type OpenapiDocument } from '#test/support/documented-answers.ts';
import { newNetwork, openMailbox } from '#test/support/portal.ts';
import type { Reply, TestService } from '#test/support/service.ts';
import { type Attempt, bytesOf, urlOf } from './attempt.ts';
import type { Credential } from './credential.ts';
import { curlLine } from './curl.ts';
import { type Call, interfaceOf } from './interface.ts';
import { attemptOf, type Draft, draftsOf, draftsOfCall } from './drafts.ts';
import { openGate } from './gate.ts';
import { type Fault, faultsOf, type FaultOptions } from './judge.ts';
import { faultsOfForeignWrites, isAtOpenDoor } from './judges/tenants.ts';
import { watchWrites, type Write } from './judges/writes.ts';
import { hasSucceeded, NOT_BY_CHANCE, type Reached } from './reached.ts';
import { isWorn } from './wear.ts';
import { makeWorld, type World } from './world.ts';

export type Options = {
  readonly service: TestService;
  /**
   * The same seed generates the same requests. If there are several callers, the values from responses can
   * differ.
   */
  readonly seed: number;
  readonly requests: number;
  readonly callers: number;
  /** Whether to repeat calls that have never succeeded, until they succeed or MOST_SOUGHT requests were sent. */
  readonly seeksSuccess?: boolean;
  /** Returns true to stop early. The results so far are still reported. */
  readonly isOver?: () => boolean;
  readonly onFinding?: (finding: Finding) => void;
  readonly onProgress?: (sent: number) => void;
};

export type Finding = Fault & {
  readonly caller: number;
  /**
   * The number of the request in its caller's sequence. It is 0 or less if the fault was found outside of these
   * sequences.
   */
  readonly number: number;
  /**
   * The smallest request found that still shows the fault, as a curl command. Empty if no single request is known to
   * have caused the fault.
   */
  readonly curl: string;
};

export type Outcome = {
  readonly sent: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly reached: Reached;
  readonly calls: readonly Call[];
  readonly longest: Longest;
  readonly worlds: number;
  readonly findings: readonly Finding[];
};

/** The duration and the call of the slowest response. */
export type Longest = { readonly ms: number; readonly call: string };

/**
 * The number of requests after which a caller gets a new organization, because callers destroy parts of their
 * organization.
 */
const REQUESTS_PER_WORLD = 1_500;
const LEAST_CREDENTIALS = 15;
/** The maximum number of requests for a call that has never succeeded. Each request follows the OpenAPI document. */
const MOST_SOUGHT = 1_000;
const CHANGE_HOLDS_WITHIN_MS = 1_100;
/** The maximum number of findings of one kind for one call. Further findings would add nothing. */
const MOST_ALIKE = 3;
/** The maximum number of requests for shrinking a request that has shown a fault. */
const MOST_TRIES = 80;
/** The number of requests that fast-check generates from one seed. */
const RUNS = 1_000;
/** The number of seeds that are reserved for a caller. */
const CALLER_SEEDS = 1_000_000;

/** Sends requests of all kinds, and returns the faults in their responses and writes. */
export async function runCampaign(options: Options): Promise<Outcome> {
  const { service, seed, requests, callers, isOver = () => false } = options;
  const document = (await service.request('GET', '/openapi.json')).body as OpenapiDocument;
  const found = interfaceOf(document);
  const foreignMark = `foreign-${seed}`;
  const mailbox = await openMailbox(service);
  const foreign = await makeWorld(service, mailbox, foreignMark);
  const writes = await watchWrites(service.database);
  const drafts = draftsOf(found);
  const gate = openGate();
  const caller = openCaller(service.url);
  const judging: FaultOptions = { interface: found, isDocumented: documentedAnswers('X-Service'), foreignMark };
  const statuses = new Map<number, number>();
  const reached = new Map<string, Map<number, number>>();
  const findings: Finding[] = [];
  const alike = new Map<string, number>();
  let sent = 0;
  let worlds = 0;
  let longest: Longest = { ms: 0, call: '' };

  await Promise.all(Array.from({ length: callers }, (_, index) => callAll(index)));
  if (options.seeksSuccess === true) for (const call of found.calls) if (!(call.id in NOT_BY_CHANCE)) await seek(call);
  for (const fault of await faultsOfForeignWrites(writes, foreign.organizationId))
    findings.push({ ...fault, caller: -1, number: -1, curl: '' });
  caller.leave();
  return { sent, statuses, reached, calls: found.calls, longest, worlds, findings };

  /** Sends generated requests until the campaign is over. After a fault, fast-check shrinks the request. */
  async function callAll(index: number): Promise<void> {
    let world = await newWorld();
    for (let round = 0, number = 0, age = 0; !isDone(); round += 1) {
      let found: { fault: Fault; attempt: Attempt; tries: number } | undefined;
      const isFine = async (draft: Draft): Promise<boolean> => {
        if (found !== undefined) {
          const smaller = attemptOf(draft, { ...world, foreign: foreign.memory });
          if ((found.tries += 1) > MOST_TRIES || !(await has(found.fault, smaller, world))) return true;
          found.attempt = smaller;
          return false;
        }
        if (isDone()) return true;
        if ((age += 1) > REQUESTS_PER_WORLD || world.credentials.length < LEAST_CREDENTIALS)
          [world, age] = [await newWorld(), 0];
        number += 1;
        const attempt = attemptOf(draft, { ...world, foreign: foreign.memory });
        const { fault, left } = await attemptOnce(attempt, world);
        world = left;
        if (fault !== undefined && isNew(fault, attempt)) found = { fault, attempt, tries: 0 };
        return found === undefined;
      };
      const settings = { seed: seed + index * CALLER_SEEDS + round, numRuns: RUNS, unbiased: true };
      await fc.check(fc.asyncProperty(drafts, isFine), settings);
      if (found === undefined) continue;
      const finding = { ...found.fault, caller: index, number, curl: curlLine(service.url, found.attempt) };
      findings.push(finding);
      options.onFinding?.(finding);
    }
  }

  function isDone(): boolean {
    return sent >= requests || isOver();
  }

  /** Sends a call until it succeeds, at most MOST_SOUGHT times. If it never succeeds, only its refusals are tested. */
  async function seek(call: Call): Promise<void> {
    if (hasSucceeded(reached, call.id) || isOver()) return;
    let world = await newWorld();
    const described = draftsOfCall(call, { resolve: found.resolve, edges: 0, hostile: 0 });
    for (const draft of fc.sample(described, { numRuns: MOST_SOUGHT, seed })) {
      if (hasSucceeded(reached, call.id) || isOver()) return;
      if (world.credentials.length < LEAST_CREDENTIALS) world = await newWorld();
      const attempt = attemptOf(draft, { ...world, foreign: foreign.memory });
      const { fault, left } = await attemptOnce(attempt, world);
      world = left;
      if (fault !== undefined && isNew(fault, attempt))
        findings.push({ ...fault, caller: callers, number: 0, curl: curlLine(service.url, attempt) });
    }
  }

  /**
   * Sends a request and judges its response. Returns the fault, if any, and the world. If a fault disappears by itself
   * because the campaign has revoked or changed the credential, returns no fault, and a world without the credential.
   */
  async function attemptOnce(attempt: Attempt, world: World): Promise<{ fault: Fault | undefined; left: World }> {
    sent += 1;
    options.onProgress?.(sent);
    const { reply, faults } = await ask(attempt, world);
    count(attempt, reply);
    if (reply !== undefined && reply.status < 300) world.memory.keep(attempt.path, reply);
    const [fault] = faults;
    if (fault !== undefined && WEARING.has(fault.kind) && (await isTransient(fault, attempt, world)))
      return { fault: undefined, left: withoutOne(world, attempt.credential) };
    return { fault, left: world };
  }

  async function newWorld(): Promise<World> {
    worlds += 1;
    const mark = `w${seed}-${worlds}`;
    return gate.pass(async () => {
      const world = await makeWorld(service, mailbox, mark);
      await writes.since(world.organizationId);
      return world;
    });
  }

  /**
   * Sends a request and judges its response. A call that is open to anyone may write data of any organization, so it
   * runs while no other request is under way. All writes in the meantime then belong to this call. All other calls
   * reach only their own organization.
   */
  function ask(attempt: Attempt, world: World): Promise<Answered> {
    if (!isAtOpenDoor(judging, attempt))
      return gate.pass(() => send(attempt, () => writes.since(world.organizationId)));
    return gate.alone(async () => send(attempt, await writes.watchOne()));
  }

  async function send(attempt: Attempt, written: () => Promise<Write[]>): Promise<Answered> {
    let reply: Reply;
    const began = performance.now();
    try {
      reply = await caller.send(attempt.method, urlOf(attempt), {
        headers: { 'x-forwarded-for': newNetwork(), ...attempt.headers, ...attempt.credential.headers },
        ...(attempt.body.kind === 'none' ? {} : { body: bytesOf(attempt.body) }),
      });
    } catch (error) {
      return { reply: undefined, faults: [{ kind: 'no-answer', says: String(error) }] };
    }
    const ms = performance.now() - began;
    if (ms > longest.ms) longest = { ms, call: callAt(attempt)?.id ?? `${attempt.method} ${attempt.path}` };
    return { reply, faults: faultsOf(judging, attempt, reply, await written()) };
  }

  function count(attempt: Attempt, reply: Reply | undefined): void {
    if (reply === undefined) return;
    const { status } = reply;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const id = callAt(attempt)?.id;
    if (id === undefined) return;
    const seen = reached.get(id) ?? new Map<number, number>();
    reached.set(id, seen.set(status, (seen.get(status) ?? 0) + 1));
  }

  function callAt({ path, method }: Attempt): Call | undefined {
    return found.at(path)?.calls.get(method);
  }

  /**
   * Returns whether a fault disappears by itself. Requests of the campaign change keys, sessions and tiers, and a
   * change takes effect within a second.
   */
  async function isTransient(fault: Fault, attempt: Attempt, world: World): Promise<boolean> {
    if (await isWorn(service.database, attempt.credential)) return true;
    await setTimeout(CHANGE_HOLDS_WITHIN_MS);
    return !(await has(fault, attempt, world));
  }

  async function has({ kind }: Fault, attempt: Attempt, world: World): Promise<boolean> {
    return (await ask(attempt, world)).faults.some((fault) => fault.kind === kind);
  }

  /**
   * Counts a fault. Returns whether at most MOST_ALIKE faults of the same kind, including this fault, were found for
   * the call.
   */
  function isNew({ kind }: Fault, attempt: Attempt): boolean {
    const what = `${kind} ${callAt(attempt)?.id}`;
    const known = (alike.get(what) ?? 0) + 1;
    alike.set(what, known);
    return known <= MOST_ALIKE;
  }
}

type Answered = { readonly reply: Reply | undefined; readonly faults: readonly Fault[] };

const WEARING: ReadonlySet<string> = new Set(['let-in', 'shut-out']);

function withoutOne(world: World, { name }: Credential): World {
  return { ...world, credentials: world.credentials.filter((one) => one.name !== name) };
}
