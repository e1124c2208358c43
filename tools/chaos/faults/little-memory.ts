import { request } from 'node:http';
import type { Fault } from '../fault.ts';
import type { Load } from '../load.ts';
import type { Member } from '../member.ts';

/** Little more than the service itself needs. */
const HEAP_MEGABYTES = 96;
const SENDERS = 24;
/** As many lines as fit into the longest accepted body. */
const LINES = 9_000;

/** A process that runs out of memory ends. That must not happen, because callers decide how much they send. */
export const fault: Fault = {
  name: 'little-memory',
  what: 'Processes with a heap of 96 MB get sales of 9,000 lines from 24 callers at once for 2 to 5 s, half of which break off',
  trials: { short: 1, full: 6 },
  system: { flags: [`--max-old-space-size=${HEAP_MEGABYTES}`] },
  healsWithinMs: 3_000,
  run: async ({ apis }, dice, load) => {
    const end = performance.now() + 2_000 + dice.roll(3_000);
    const senders = Array.from({ length: SENDERS }, async (_, n) => {
      for (let turn = 0; performance.now() < end; turn += 1) {
        await send(dice.pick(apis), load, `big-${n}-${turn}`, dice.chance(0.5));
      }
    });
    await Promise.all(senders);
  },
};

/** Sends a sale that is read completely and then refused because of its total, so that it does not change the books. */
function send(api: Member, { shop }: Load, externalId: string, isWhole: boolean): Promise<void> {
  const items = Array.from({ length: LINES }, (_, n) => ({
    externalId: `sku-${n}`,
    name: 'Mug',
    quantity: 1,
    amount: 1.5,
  }));
  const body = Buffer.from(JSON.stringify({ source: 'big', externalId, total: -1, items }));
  return new Promise((resolve) => {
    const call = request(`${api.url()}/v1/event/sale`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${shop.key}`,
        'content-type': 'application/json',
        'content-length': body.length,
      },
    });
    call.on('response', (answer) =>
      answer
        .resume()
        .on('end', resolve)
        .on('error', () => resolve()),
    );
    call.on('error', () => resolve());
    call.on('close', () => resolve());
    if (isWhole) call.end(body);
    else call.write(body.subarray(0, body.length >> 1), () => call.destroy());
  });
}
