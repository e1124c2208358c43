import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from '#tools/traffic/random.ts';
import type { Fault } from '../fault.ts';
import type { Load } from '../load.ts';
import type { Member } from '../member.ts';
import type { Seen } from '../iteration.ts';

/** The maximum size of the heap of a process in megabytes, which is little more than the service itself needs. */
const HEAP_MEGABYTES = 96;
const SENDERS = 24;
/** The number of lines in a sale. Its body has 540 kB, about half of the longest accepted body. */
const LINES = 9_000;

/** Faults of the service’s processes, and `calm`, in which only the load runs. */
export const faults: readonly Fault[] = [
  {
    name: 'calm',
    what: 'Nothing: the load alone',
    iterations: { short: 1, full: 10 },
    healsWithinMs: 3_000,
    run: (_system, _dice, load) => load.acknowledged(600),
    complaints: unansweredLines,
  },
  {
    name: 'kill-service',
    what: '`kill -9` of a process that answers requests',
    iterations: { short: 2, full: 60 },
    healsWithinMs: 20_000,
    run: ({ apis }, dice) => end('SIGKILL', [dice.pick(apis)]),
  },
  {
    name: 'kill-worker',
    what: '`kill -9` of a process that decides, sometimes of both at once',
    iterations: { short: 2, full: 60 },
    healsWithinMs: 20_000,
    run: ({ workers }, dice) => end('SIGKILL', dice.chance(0.2) ? workers : [dice.pick(workers)]),
  },
  {
    name: 'stop-service',
    what: 'SIGTERM of a process under load',
    iterations: { short: 2, full: 20 },
    healsWithinMs: 20_000,
    run: ({ members }, dice) => end('SIGTERM', [dice.pick(members)]),
    // The system checks that every process exits with 0 after a SIGTERM.
    complaints: unansweredLines,
  },
  {
    name: 'pause-service',
    what: 'SIGSTOP of a process that answers requests, and SIGCONT after 2 to 20 s',
    iterations: { short: 1, full: 8 },
    healsWithinMs: 10_000,
    run: ({ apis }, dice) => pause(dice.pick(apis), dice),
  },
  {
    // Suspends a worker, often in the middle of a batch, while it holds locks. When the worker continues, it must not
    // repeat the work of the other worker.
    name: 'pause-worker',
    what: 'SIGSTOP of a process that decides, and SIGCONT after 2 to 20 s',
    iterations: { short: 1, full: 8 },
    healsWithinMs: 15_000,
    run: ({ workers }, dice) => pause(dice.pick(workers), dice),
  },
  {
    // Timers fire late by up to the duration of the block, so timeouts may seem to have expired.
    name: 'blocked-loop',
    what: 'The event loop of a process is blocked for 0.5 to 12 s, as in an unexpectedly long computation',
    iterations: { short: 1, full: 8 },
    system: { flags: ['--inspect=127.0.0.1:0'] },
    healsWithinMs: 3_000,
    run: async ({ members }, dice) => {
      const ms = 500 + Math.min(dice.roll(11_500), dice.roll(11_500));
      await runWithin(dice.pick(members), `for (const end = performance.now() + ${ms}; performance.now() < end; );`);
    },
  },
  {
    // A process that runs out of memory ends. That must not happen, because callers decide how much they send.
    name: 'little-memory',
    what: '24 concurrent callers send sales of 9,000 lines for 2 to 5 s to processes with a heap of 96 MB, and half of the requests are cut off',
    iterations: { short: 1, full: 6 },
    system: { flags: [`--max-old-space-size=${HEAP_MEGABYTES}`] },
    healsWithinMs: 3_000,
    run: async ({ apis }, dice, load) => {
      const end = performance.now() + 2_000 + dice.roll(3_000);
      const senders = Array.from({ length: SENDERS }, async (_, n) => {
        for (let turn = 0; performance.now() < end; turn += 1)
          await sendMuch(dice.pick(apis), load, `big-${n}-${turn}`, dice.chance(0.5));
      });
      await Promise.all(senders);
    },
  },
];

function unansweredLines({ unknown }: Seen): string[] {
  return [...unknown].map(([why, times]) => `${times} callers got no answer: ${why}`);
}

async function end(signal: 'SIGKILL' | 'SIGTERM', victims: readonly Member[]): Promise<void> {
  const ended = victims.map((victim) => victim.ended());
  for (const victim of victims) victim.signal(signal);
  await Promise.all(ended);
}

async function pause(victim: Member, dice: Dice): Promise<void> {
  victim.signal('SIGSTOP');
  await delay(pauseMs(dice));
  victim.signal('SIGCONT');
}

/**
 * Returns the length of a pause in milliseconds, from 2,000 to 20,000. Short pauses are more frequent than long pauses.
 */
export function pauseMs(dice: Dice): number {
  return 2_000 + Math.min(dice.roll(18_000), dice.roll(18_000));
}

/** Runs a script within the process, as a debugger does. Resolves when the script has run or the process has ended. */
async function runWithin(member: Member, script: string): Promise<void> {
  let address: string | undefined;
  // The debugger's address may be printed a moment after the process is ready.
  while (address === undefined) {
    address = [...member.printed().matchAll(/Debugger listening on (ws:\S+)/g)].at(-1)?.[1];
    await delay(10);
  }
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const answered = once(socket, 'message');
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: script } }));
  await Promise.race([answered, once(socket, 'close')]);
  socket.close();
}

/**
 * Sends a sale that is read completely and then refused because of its total, so that it does not change the books. If
 * `isWhole` is false, sends half of the sale and closes the connection.
 */
function sendMuch(api: Member, { shop }: Load, externalId: string, isWhole: boolean): Promise<void> {
  const line = { externalId: 'sku', name: 'Mug', quantity: 1, amount: 1.5 };
  const items = Array.from({ length: LINES }, () => line);
  const body = Buffer.from(JSON.stringify({ source: 'big', externalId, total: -1, items }));
  const type = { 'content-type': 'application/json', 'content-length': body.length };
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${shop.key}`, ...type };
    const call = request(`${api.url()}/v1/event/sale`, { method: 'POST', headers });
    call.on('response', (answer) => answer.resume().on('error', () => resolve()));
    call.on('error', () => resolve());
    call.on('close', () => resolve());
    if (isWhole) call.end(body);
    else call.write(body.subarray(0, body.length >> 1), () => call.destroy());
  });
}
