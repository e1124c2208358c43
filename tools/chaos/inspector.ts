import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Member } from './member.ts';

/** The flags with which Node must be started to run code inside it. */
export const INSPECTABLE = ['--inspect=127.0.0.1:0'];

/**
 * Runs a script within the process, as a debugger does, without the service's involvement. Resolves when the script has
 * run.
 */
export async function runWithin(member: Member, script: string): Promise<void> {
  const socket = new WebSocket(await addressOf(member));
  await once(socket, 'open');
  const answered = once(socket, 'message');
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: script } }));
  await Promise.race([answered, once(socket, 'close')]);
  socket.close();
}

/** Waits for the debugger's address, which may be printed a moment after the process is ready. */
async function addressOf(member: Member): Promise<string> {
  for (;;) {
    const address = [...member.printed().matchAll(/Debugger listening on (ws:\S+)/g)].at(-1)?.[1];
    if (address !== undefined) return address;
    await delay(10);
  }
}
