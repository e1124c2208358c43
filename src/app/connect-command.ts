import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { connectByCommand } from '#connectors/commands/connect-by-command.ts';
import { rotateConnectorSecret } from '#connectors/commands/change-connector.ts';
import type { ConnectorKind } from '#connectors/domain/connector.ts';
import { connectorSecret } from '#connectors/contract/connector.ts';
import { EVENT_TYPES } from '#connectors/domain/event-types.ts';
import { connectorEvents } from '#connectors/store/read/connectors.ts';
import type { OrganizationId } from '#core/ids.ts';
import type { Mode } from '#core/mode.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { type Config, publicUrlOf } from './config.ts';
import { withDatabase } from './database-commands.ts';
import { encryptionKey, keyFileIn } from './encryption-key.ts';

export type ConnectOptions = {
  readonly kind: ConnectorKind;
  /** The expected mode of the organization. If absent, any mode is accepted. */
  readonly mode?: Mode;
  readonly name?: string;
  readonly organization?: OrganizationId;
};

const EVENT_POLL_MS = 1_000;

/**
 * The instructions for systems that have a Whence plugin. The WooCommerce plugin adds the webhooks. The Medusa plugin
 * needs no webhooks.
 */
const INSTRUCTIONS: Partial<Record<ConnectorKind, string>> = {
  medusa: 'Medusa has no webhooks. Install the plugin @whence/medusa, and set its option `url` to this URL:',
  woocommerce:
    'The WooCommerce plugin of Whence adds the webhooks itself. Without the plugin, add a webhook with this URL:',
};

/**
 * Creates a connector, and prints the webhook URL and, except for Medusa, the event types to enter in the shop or
 * billing system. Then stores the secret that `askSecret` returns, and waits for the first event. Ends early if the
 * secret is empty or invalid. Throws if there is no encryption key. Returns the exit code.
 */
export async function connect(
  config: Config,
  print: (...lines: readonly string[]) => void,
  askSecret: (question: string) => Promise<string>,
  { kind, mode: expected, name = kind, organization }: ConnectOptions,
): Promise<number> {
  if (config.WHENCE_ENCRYPTION_KEY === undefined && !existsSync(keyFileIn(config))) {
    throw new Error(
      `There is no encryption key in ${keyFileIn(config)}. Set WHENCE_ENCRYPTION_KEY to the encryption key of the service.`,
    );
  }
  return withDatabase(config, async (database) => {
    const created = await connectByCommand(database, organization, { kind, mode: expected, name });
    const { organizationId, id, mode } = created;
    const tenant = { connection: database, organizationId };
    print(
      INSTRUCTIONS[kind] ?? 'Add a webhook with this URL:',
      `  ${publicUrlOf(config)}/v1/connectors/${id}/webhook`,
      // The plugin for Medusa needs no list of events, because it chooses the events itself.
      ...(kind === 'medusa' ? [] : ['and these events:', ...EVENT_TYPES[kind].map((type) => `  ${type}`)]),
    );
    const secret = (await askSecret('Its signing secret: ')).trim();
    if (secret === '') {
      print(`Connector ${id} has no secret yet. Set it with POST /v1/connectors/${id}/rotate-secret.`);
      return 0;
    }
    if (!connectorSecret.safeParse(secret).success) {
      print(
        `The signing secret was not saved, because it must have 8 to 255 characters. Connector ${id} has no secret yet. Set it with POST /v1/connectors/${id}/rotate-secret.`,
      );
      return 1;
    }
    const { key } = await encryptionKey(config);
    await rotateConnectorSecret(tenant, secretBox(key), id, secret);
    print(`Connector ${id} accepts ${mode} events. Waiting for the first event. Press Ctrl-C to stop waiting.`);
    let event = await readOne(tenant, connectorEvents, { connectorId: id });
    for (; event === undefined; event = await readOne(tenant, connectorEvents, { connectorId: id })) {
      await delay(EVENT_POLL_MS);
    }
    print(
      `The first event has arrived: ${event.type}.`,
      `The console lists all events and their orders: ${publicUrlOf(config)}/console/connectors/${id}`,
    );
    return 0;
  });
}
