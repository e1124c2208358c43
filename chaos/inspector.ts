import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Member } from './member.ts';

/** What Node is started with, so that something can be run within it. */
export const INSPECTABLE = ['--inspect=127.0.0.1:0'];

/** Runs a script within the process, as a debugger does: nothing of the service knows of it. Resolves when it has run. */
export async function runWithin(member: Member, script: string): Promise<void> {
  const socket = new WebSocket(await addressOf(member));
  await once(socket, 'open');
  const answered = once(socket, 'message');
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: script } }));
  await Promise.race([answered, once(socket, 'close')]);
  socket.close();
}

/** It prints it when it starts, possibly a moment after it is there. */
async function addressOf(member: Member): Promise<string> {
  for (;;) {
    const address = [...member.printed().matchAll(/Debugger listening on (ws:\S+)/g)].at(-1)?.[1];
    if (address !== undefined) return address;
    await delay(10);
  }
}
