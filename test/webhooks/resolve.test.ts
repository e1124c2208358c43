import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { resolveLocally, resolvePublicly } from '#webhooks/reactions/resolve.ts';

const A = 1;
const AAAA = 28;
const NOT_FOUND = 3;

/** The records of the test name server, by name and type. Addresses are bytes. */
const ZONE: Readonly<Record<string, { readonly [type: number]: readonly number[] }>> = {
  'both.example': { [A]: [192, 0, 2, 1], [AAAA]: [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
  'old.example': { [A]: [192, 0, 2, 2] },
};

describe('resolving the host of a webhook', () => {
  let server: Socket;
  let servers: string[];
  before(async () => {
    server = createSocket('udp4');
    server.on('message', (question, { port, address }) => {
      const answer = answerTo(question);
      if (answer !== undefined) server.send(answer, port, address);
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    servers = [`127.0.0.1:${server.address().port}`];
  });
  after(() => server.close());

  it('returns all IPv4 and IPv6 addresses from the name servers', async () => {
    assert.deepEqual(await resolvePublicly('both.example', servers), ['192.0.2.1', '2001:db8::1']);
    assert.deepEqual(await resolvePublicly('old.example', servers), ['192.0.2.2']);
  });

  it('rejects an unknown host', async () => {
    await assert.rejects(resolvePublicly('gone.example', servers), { code: 'ENOTFOUND' });
  });

  it('ignores the machine’s hosts file unless private addresses are allowed', async () => {
    await assert.rejects(resolvePublicly('localhost', servers), { code: 'ENOTFOUND' });
    assert.ok((await resolveLocally('localhost')).some((address) => address === '127.0.0.1' || address === '::1'));
  });
});

/**
 * Returns the response to a DNS question. The question consists of a header of 12 bytes, the name as labels with their
 * lengths, the type and the class.
 */
function answerTo(question: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at] as number; length > 0; length = question[at] as number) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = question.readUInt16BE(at + 1);
  const known = ZONE[labels.join('.').toLowerCase()];
  const address = known?.[type];
  const head = Buffer.alloc(12);
  question.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | (known === undefined ? NOT_FOUND : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(address === undefined ? 0 : 1, 6);
  const asked = question.subarray(12, at + 5);
  if (address === undefined) return Buffer.concat([head, asked]);
  // A DNS record: the name as a pointer to the question, type, class IN, a TTL of one minute, length and address.
  const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address]);
  return Buffer.concat([head, asked, record]);
}
