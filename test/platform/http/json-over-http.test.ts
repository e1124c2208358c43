import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService } from '../../support/service.ts';
import { ACCEPTED, REFUSED } from '../../support/json-cases.ts';

/** Bodies that the service refuses: invalid UTF-8, other encodings, duplicate keys, and nesting that is too deep. */
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
  'other encodings, and a byte order mark': [
    Buffer.from('{"a":1}', 'utf16le'),
    Buffer.from('\ufeff{"a":1}', 'utf16le'),
    Buffer.from('\ufeff{"a":1}'),
  ],
  'a duplicate key, and nesting that is too deep': [
    Buffer.from('{"a":1,"a":2}'),
    Buffer.from(String.raw`{"a":1,"\u0061":2}`),
    Buffer.from('['.repeat(100_000)),
    Buffer.from(`{"a":${'['.repeat(40)}${']'.repeat(40)}}`),
  ],
};

/*
 * Sends the documents of json-cases.ts to a running service. json.test.ts tests the parser with the same documents. The
 * tests of this file show that nothing changes a body before the parser reads it.
 */
describe('a JSON request body on the wire', () => {
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

  /** Returns the status and body of each response, in order. The requests are pipelined on one connection. */
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

  /** Returns the number of responses that have arrived in full. */
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
    it(`is rejected with 400 malformed-json: ${what}`, async () => {
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
    it(`is parsed: ${what}`, async () => {
      // The operation has no field `unknown`, so a body that was parsed gets the same errors as an empty object.
      const [, empty] = (await answersTo('/v1/program-groups', [Buffer.from('{}')]))[0]!;
      const { errors: expected } = JSON.parse(empty) as { errors: object[] };
      assert.ok(expected.length > 0, empty);
      const bodies = texts.map((text) => Buffer.from(`{"unknown":${text}}`));
      for (let from = 0; from < bodies.length; from += AT_ONCE) {
        const some = bodies.slice(from, from + AT_ONCE);
        for (const [at, [status, text]] of (await answersTo('/v1/program-groups', some)).entries()) {
          const { errors } = JSON.parse(text) as { errors?: object[] };
          assert.deepEqual([status, errors], [422, expected], `${String(some[at]).slice(0, 200)}: ${text}`);
        }
      }
    });
});

/** The maximum number of requests on a connection that may wait for their responses. */
const AT_ONCE = 16;
