import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService } from '#test/support/service.ts';
import { ACCEPTED, REFUSED } from '#test/support/json-cases.ts';

/** Bytes that no text stands for, and what is refused though the grammar has it. */
const REFUSED_BYTES: Readonly<Record<string, readonly Uint8Array[]>> = {
  'bytes that are not UTF-8': [
    [0xff],
    [0x22, 0x80, 0x22],
    [0x22, 0xe4, 0x22],
    [0x22, 0xe2, 0x82, 0x22],
    [0x22, 0xc0, 0xaf, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22],
  ].map((bytes) => Uint8Array.from(bytes)),
  'other encodings, and a mark of the order of bytes': [
    Buffer.from('{"a":1}', 'utf16le'),
    Buffer.from('\ufeff{"a":1}', 'utf16le'),
    Buffer.from('\ufeff{"a":1}'),
  ],
  'a key that is given twice, and nesting that is too deep': [
    Buffer.from('{"a":1,"a":2}'),
    Buffer.from(String.raw`{"a":1,"\u0061":2}`),
    Buffer.from('['.repeat(100_000)),
    Buffer.from(`{"a":${'['.repeat(40)}${']'.repeat(40)}}`),
  ],
};

/*
 * The table of what is JSON and what is not, byte by byte over a connection to a whole service: the parser is judged in
 * json.test.ts, and here that nothing on the way to it reads, mends or breaks what was sent.
 */
describe('a body, as it comes over the wire', () => {
  let service: TestService;
  let socket: Socket;
  let received = '';
  before(async () => {
    service = await startService();
    socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.setEncoding('utf8').on('data', (text) => (received += String(text)));
    await once(socket, 'connect');
  });
  after(async () => {
    socket.destroy();
    const { rows } = await service.database.query('select count(*)::integer as made from program_groups');
    assert.deepEqual(rows, [{ made: 0 }], 'nothing was stored');
    await service.stop();
  });

  /** Answers status and body of each, in the order in which they were sent. They share the connection, one behind the other. */
  async function answersTo(
    path: string,
    bodies: readonly Uint8Array[],
  ): Promise<readonly (readonly [number, string])[]> {
    received = '';
    for (const body of bodies) {
      const head = [
        `POST ${path} HTTP/1.1`,
        'Host: localhost',
        `Authorization: Bearer ${service.secretKey}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ].join('\r\n');
      socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body]));
    }
    while (countOf(received) < bodies.length) await once(socket, 'data');
    return received
      .split(/(?=HTTP\/1\.1 \d{3} )/)
      .map((answer) => [Number(answer.slice(9, 12)), answer.slice(answer.indexOf('\r\n\r\n') + 4)]);
  }

  /** Answers that are there to their last byte. */
  function countOf(text: string): number {
    const answers = text.split(/(?=HTTP\/1\.1 \d{3} )/);
    const whole = answers.filter((answer) => {
      const [head = '', body] = answer.split('\r\n\r\n', 2);
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? NaN);
      return body !== undefined && Buffer.byteLength(answer.slice(head.length + 4)) === length;
    });
    return whole.length;
  }

  for (const [what, bodies] of Object.entries({
    ...Object.fromEntries(
      Object.entries(REFUSED).map(([what, texts]) => [what, texts.map((text) => Buffer.from(text))] as const),
    ),
    ...REFUSED_BYTES,
  }))
    it(`is refused with 400 malformed-json: ${what}`, async () => {
      for (let from = 0; from < bodies.length; from += AT_ONCE) {
        const some = bodies.slice(from, from + AT_ONCE);
        for (const [at, [status, text]] of (await answersTo('/v1/program-groups', some)).entries()) {
          const { code } = JSON.parse(text) as { code?: string };
          assert.deepEqual(
            [status, code],
            [400, 'malformed-json'],
            JSON.stringify(Buffer.from(some[at]!).toString().slice(0, 200)),
          );
        }
      }
    });

  for (const [what, texts] of Object.entries(ACCEPTED))
    it(`is read: ${what}`, async () => {
      // As a field that the call does not have: it is read, and left out.
      const bodies = texts.map((text) => Buffer.from(`{"unknown":${text}}`));
      for (let from = 0; from < bodies.length; from += AT_ONCE) {
        const some = bodies.slice(from, from + AT_ONCE);
        for (const [at, [status, text]] of (await answersTo('/v1/fulfillments/preview', some)).entries())
          assert.equal(status, 200, `${String(some[at]).slice(0, 200)}: ${text}`);
      }
    });
});

/** Small enough that what waits to be read on either side fits into the buffers of a connection. */
const AT_ONCE = 50;
