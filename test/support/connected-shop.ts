import assert from 'node:assert/strict';
import { verify } from '#verify/verify.ts';
import { problemCode } from './replies.ts';
import { type Reply, startService, type TestService } from './service.ts';
import { openShop, type Shop } from './shop.ts';

/** A webhook message as it is sent: the exact body, and the headers with its signature. */
export type SentMessage = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

export type ConnectedShopOptions<Message> = {
  readonly kind: string;
  readonly secret: string;
  readonly program: Record<string, unknown>;
  /** Signs a message as the sender does. */
  readonly sign: (message: Message) => SentMessage;
};

/** A service with the collaborator Ada, a visit through her link, and a connector that receives a test's messages. */
export type ConnectedShop<Message> = {
  readonly service: TestService;
  readonly shop: Shop;
  readonly ada: number;
  /** The public number of the visit's opportunity. */
  readonly oid: string;
  /** The path of the connector. */
  readonly path: string;
  /** Gives Ada a coupon code. */
  readonly giveCoupon: (code: string) => Promise<void>;
  /** Sends signed messages, and waits until they are processed. Fails unless each is accepted. */
  readonly send: (...messages: readonly Message[]) => Promise<void>;
  readonly sendRaw: (sent: SentMessage) => Promise<Reply>;
  /** Sends a message, and returns the status and the code of the problem in the response. */
  readonly refusalOf: (sent: SentMessage) => Promise<readonly [status: number, code: string]>;
  /** Returns the connector's events, oldest first. */
  readonly events: () => Promise<readonly ReceivedEvent[]>;
  /**
   * Waits for the pipeline. Returns the collaborator and the amount of each conversion. The amount of a rejected
   * conversion is 0.
   */
  readonly earned: (externalId: string) => Promise<(readonly [collaboratorId: number, amount: number])[]>;
  /** Verifies the books, and stops the service. */
  readonly stop: () => Promise<void>;
};

export type ReceivedEvent = {
  readonly externalId: string;
  readonly type: string;
  readonly state: string;
  readonly reason: string | null;
  readonly outcome: readonly { readonly externalId: string }[];
};

export async function openConnectedShop<Message>(
  options: ConnectedShopOptions<Message>,
): Promise<ConnectedShop<Message>> {
  const { kind, secret, program, sign } = options;
  const service = await startService();
  const shop = openShop(service);
  await shop.program({ autoApprove: true, ...program });
  const ada = await shop.collaborator('ada');
  const oid = await shop.visit('ada');
  const body = { kind, name: kind, secret };
  const created = await service.request('POST', '/v1/connectors', { key: service.secretKey, body });
  assert.equal(created.status, 201, created.text);
  const path = `/v1/connectors/${(created.body as { id: number }).id}`;

  const sendRaw = (sent: SentMessage): Promise<Reply> =>
    service.request('POST', `${path}/webhook`, {
      body: sent.body,
      headers: { 'content-type': 'application/json', ...sent.headers },
    });
  return {
    service,
    shop,
    ada,
    oid,
    path,
    giveCoupon: async (code) => {
      const alias = { key: service.secretKey, body: { type: 'coupon', code } };
      const given = await service.request('POST', `/v1/collaborators/${ada}/aliases`, alias);
      assert.equal(given.status, 201, given.text);
    },
    sendRaw,
    send: async (...messages) => {
      for (const message of messages) {
        const reply = await sendRaw(sign(message));
        assert.equal(reply.status, 200, reply.text);
      }
      await service.settled();
    },
    refusalOf: async (sent) => {
      const reply = await sendRaw(sent);
      return [reply.status, problemCode(reply)];
    },
    events: () => shop.get(`${path}/events?sort=id&perPage=100`),
    earned: async (externalId) =>
      (await shop.earned(externalId)).map(({ collaboratorId, amount, status }) => [
        collaboratorId,
        status === 'rejected' ? 0 : amount,
      ]),
    stop: async () => {
      assert.deepEqual((await verify(service.database)).breaches, []);
      await service.stop();
    },
  };
}
