import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Connection as Wire, Submittable } from 'pg';
import type { Connection } from '../database.ts';

/*
 * COPY, which pg itself leaves to others. It hands the messages of a statement to whoever has submitted it. These objects
 * hold all of theirs themselves, since the connections of a pooler submit copies of them.
 */

/** What a statement may be told, as pg calls it. */
type Listener = Submittable & {
  readonly handleError: (error: Error) => void;
  readonly handleReadyForQuery: () => void;
  readonly handleCommandComplete: (message: { readonly text: string }) => void;
};

/** What pg's connection can do for a COPY, and its types don't say. */
type CopyWire = Wire & {
  readonly sendCopyFromChunk: (chunk: Buffer) => void;
  readonly endCopyFrom: () => void;
  readonly sendCopyFail: (reason: string) => void;
};

const BLOCK_BYTES = 64 * 2 ** 10;

/**
 * The rows of a `copy … to stdout`, whole ones, in blocks. While nobody takes them the server waits: what lies in memory
 * is a few blocks. Whoever breaks off gives the connection up.
 */
export function copyOut(connection: Connection, statement: string): Readable {
  let wire: Wire | undefined;
  let block = Buffer.allocUnsafe(BLOCK_BYTES);
  let filled = 0;
  const blocks = new Readable({ read: () => wire?.stream.resume() });
  const hand = (): void => {
    if (filled > 0 && !blocks.push(block.subarray(0, filled))) wire?.stream.pause();
    filled = 0;
  };
  const listener: Listener & { readonly handleCopyData: (message: { readonly chunk: Buffer }) => void } = {
    submit: (submitted) => {
      wire = submitted;
      submitted.query(statement);
    },
    // Copied, since the driver goes on to use the memory that a row lies in.
    handleCopyData: ({ chunk }) => {
      if (filled + chunk.length > block.length) {
        hand();
        block = Buffer.allocUnsafe(Math.max(BLOCK_BYTES, chunk.length));
      }
      filled += chunk.copy(block, filled);
    },
    handleCommandComplete: hand,
    handleReadyForQuery: () => blocks.push(null),
    handleError: (error) => blocks.destroy(error),
  };
  connection.query(listener);
  return blocks;
}

/** Feeds `blocks` to a `copy … from stdin` and answers how many rows that were. What `blocks` throws undoes the statement. */
export function copyIn(connection: Connection, statement: string, blocks: AsyncIterable<Buffer>): Promise<number> {
  const ended = new AbortController();
  let rows = 0;
  let fault: unknown;

  async function feed(wire: CopyWire): Promise<void> {
    try {
      for await (const block of blocks) {
        if (ended.signal.aborted) return;
        wire.sendCopyFromChunk(block);
        if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain', { signal: ended.signal });
      }
      wire.endCopyFrom();
    } catch (error) {
      if (ended.signal.aborted) return;
      fault = error;
      wire.sendCopyFail('its source has failed');
    }
  }

  return new Promise((resolve, reject) => {
    const listener: Listener & { readonly handleCopyInResponse: (wire: CopyWire) => void } = {
      submit: (wire) => wire.query(statement),
      handleCopyInResponse: (wire) => void feed(wire),
      handleCommandComplete: ({ text }) => {
        rows = Number(text.split(' ').at(-1));
      },
      handleReadyForQuery: () => resolve(rows),
      handleError: (error) => {
        ended.abort();
        reject(fault ?? error);
      },
    };
    connection.query(listener);
  });
}
