import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** What is wrong with a line. What is open already suffers it too. */
export type Trouble =
  /** Everything comes so much later. */
  | { readonly kind: 'late'; readonly ms: number }
  /** Connections are reset, and new ones as soon as they are made. */
  | { readonly kind: 'reset' }
  /** Nobody listens any more: what is open is closed, what is new is refused. */
  | { readonly kind: 'closed' }
  /** Nothing comes through, nothing ends, and whoever was connected is never heard again. */
  | { readonly kind: 'silent' }
  /** Each connection is reset after so many more bytes of answers, wherever in a message that is. */
  | { readonly kind: 'short'; readonly bytes: () => number }
  /** What was sent is done; of so many in all the answer is lost, and the connection with it. */
  | { readonly kind: 'deaf'; readonly isLost: (sent: Buffer) => boolean };

/** A wire between the service and its database. */
export type Line = {
  /** The database, by this line. */
  readonly url: string;
  readonly trouble: (trouble: Trouble) => Promise<void>;
  /** Whole again. What was lost stays lost. */
  readonly mend: () => Promise<void>;
  /** Resolves once all who are connected at this moment have hung up. */
  readonly hungUp: () => Promise<void>;
  /** Answers that were lost after what was asked was done. */
  readonly lostAnswers: () => number;
  readonly close: () => Promise<void>;
};

type Wire = { readonly near: Socket; readonly far: Socket; suffer: (trouble: Trouble | undefined) => void };

export async function openLine(databaseUrl: string): Promise<Line> {
  const target = new URL(databaseUrl);
  const folder = target.searchParams.get('host');
  const wires = new Set<Wire>();
  let current: Trouble | undefined;
  let lost = 0;
  let server: Server | undefined = await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  url.search = '';

  return {
    url: url.href,
    trouble: async (trouble) => {
      current = trouble;
      if (trouble.kind === 'closed') await refuse();
      for (const wire of wires) wire.suffer(trouble);
    },
    mend: async () => {
      current = undefined;
      server ??= await listen(port);
      for (const wire of wires) wire.suffer(undefined);
    },
    hungUp: async () => {
      await Promise.all([...wires].map(({ near }) => ended(near)));
    },
    lostAnswers: () => lost,
    close: async () => {
      await refuse();
      for (const { near, far } of wires) [near, far].forEach((socket) => socket.destroy());
    },
  };

  async function listen(at: number): Promise<Server> {
    const listening = createServer({ allowHalfOpen: true }, lay).listen(at, '127.0.0.1');
    await once(listening, 'listening');
    return listening;
  }

  function reach(): Socket {
    return folder === null ? connect(Number(target.port), target.hostname) : connect(join(folder, '.s.PGSQL.5432'));
  }

  async function refuse(): Promise<void> {
    server?.close();
    server = undefined;
  }

  function lay(near: Socket): void {
    // Nothing comes through, so the server does not hear of who calls while the line is silent, and keeps no place for them.
    const far = current?.kind === 'silent' ? new Socket().destroy() : reach();
    near.setNoDelay(true);
    let trouble: Trouble | undefined;
    let left = Infinity;
    let isDead = false;
    let isDeaf = false;
    const wire: Wire = { near, far, suffer };
    wires.add(wire);
    suffer(current);
    near.on('data', (data) => {
      if (isDead) return;
      if (trouble?.kind === 'deaf' && trouble.isLost(data)) isDeaf = true;
      pass(far, data);
    });
    far.on('data', (data) => {
      if (isDead) return;
      if (isDeaf) {
        lost += 1;
        end();
      } else if (data.length < left) {
        left -= data.length;
        pass(near, data);
      } else {
        near.write(data.subarray(0, left), end);
      }
    });
    for (const socket of [near, far]) {
      socket.on('error', () => {});
      // Of a line that is silent nobody hears that the other has gone.
      socket.on('close', () => {
        if (!isDead) end();
        else if (near.destroyed && far.destroyed) wires.delete(wire);
      });
      socket.on('end', () => {
        if (!isDead) end();
      });
    }

    function suffer(next: Trouble | undefined): void {
      trouble = next;
      left = next?.kind === 'short' ? next.bytes() : Infinity;
      if (next?.kind === 'reset' || next?.kind === 'closed') end();
      if (next?.kind === 'silent') isDead = true;
    }

    function pass(to: Socket, data: Buffer): void {
      // In the order in which they came, since each waits as long.
      if (trouble?.kind === 'late') void delay(trouble.ms).then(() => to.write(data));
      else to.write(data);
    }

    function end(): void {
      near.resetAndDestroy();
      far.destroy();
      wires.delete(wire);
    }
  }
}

/** By a farewell, or without. */
function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readableEnded || socket.destroyed) resolve();
    socket.once('end', resolve).once('close', () => resolve());
  });
}
