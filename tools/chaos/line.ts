import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A fault of the network line. It also affects open connections. */
export type Trouble =
  /** All data is delayed. */
  | { readonly kind: 'late'; readonly ms: number }
  /** Open connections are reset, and new connections are reset as soon as they are made. */
  | { readonly kind: 'reset' }
  /** The port is closed. Open connections are closed, and new connections are refused. */
  | { readonly kind: 'closed' }
  /** No data arrives, and neither side learns that the other has closed. Existing connections never recover. */
  | { readonly kind: 'unresponsive' }
  /** Each connection is reset after a number of response bytes, possibly in the middle of a message. */
  | { readonly kind: 'short'; readonly bytes: () => number }
  /**
   * Requests are executed. If `isLost` returns true for a request, its response is lost together with its connection.
   */
  | { readonly kind: 'deaf'; readonly isLost: (sent: Buffer) => boolean };

/** A network line between the service and its database: a proxy that can break connections. */
export type Line = {
  /** The database's URL through this line. */
  readonly url: string;
  readonly trouble: (trouble: Trouble) => Promise<void>;
  /** Repairs the line. Lost data stays lost. */
  readonly mend: () => Promise<void>;
  /** Returns the number of responses that were lost after their request was executed. */
  readonly lostAnswers: () => number;
  readonly close: () => Promise<void>;
};

/**
 * The time in milliseconds after which a server closes a connection whose client is unreachable: `SERVER_KEEP_ALIVE` in
 * src/platform/postgres/pool.ts. The line simulates this timeout, because its own connection to the server is a local
 * socket, which always responds.
 */
const SERVER_NOTICES_MS = 25_000;

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
    // While the line is unresponsive, the server must not see new connections, or it would reserve a slot for them.
    const far = current?.kind === 'unresponsive' ? new Socket().destroy() : reach();
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
      // On an unresponsive line, neither side learns that the other has closed.
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
      if (next?.kind === 'unresponsive') {
        isDead = true;
        setTimeout(() => far.destroy(), SERVER_NOTICES_MS).unref();
      }
    }

    function pass(to: Socket, data: Buffer): void {
      // Data stays in order, because each chunk waits equally long.
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
