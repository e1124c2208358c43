import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Connection as Wire, Submittable } from 'pg';
import type { Connection } from '../database.ts';

/* COPY support, which pg leaves to other packages. pg passes the messages of a statement to the submitted object. */

/** The methods that pg calls on a submitted statement. */
type Listener = Submittable & {
  readonly handleError: (error: Error) => void;
  readonly handleReadyForQuery: () => void;
  readonly handleCommandComplete: (message: { readonly text: string }) => void;
};

/** The methods of pg's connection for COPY, which its types omit. */
type CopyWire = Wire & {
  readonly sendCopyFromChunk: (chunk: Buffer) => void;
  readonly endCopyFrom: () => void;
  readonly sendCopyFail: (reason: string) => void;
};

const BLOCK_BYTES = 64 * 2 ** 10;

/**
 * Returns the rows of a `copy … to stdout` as a stream of blocks. Each block contains whole rows. If the reader is
 * slow, the server waits, so memory contains only a few blocks. A reader that stops early must discard the connection.
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
    // Copy the row, because the driver reuses the row's memory.
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
  connection.submit(listener);
  return blocks;
}

/**
 * Sends `blocks` to a `copy … from stdin` and returns the number of rows. If `blocks` throws, rejects with its error,
 * and the statement is rolled back.
 */
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
      wire.sendCopyFail('the source of the rows has failed');
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
    connection.submit(listener);
  });
}
