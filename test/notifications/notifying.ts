import { createPartnerNotifier } from '#notifications/reactions/notify-partners.ts';
import { extendAllChains } from '../support/chain.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { startWorker } from '#app/worker/worker.ts';
import { ENCRYPTION_KEY } from '../support/encryption-key.ts';
import { startService, type TestService, waitUntilSettled } from '../support/service.ts';

export const PUBLIC_URL = 'http://whence.example.com';

/**
 * Starts a service that emails partners only when `notify` is called. Its worker decides sales, but sends no notices.
 * `notify` resolves once all due emails are queued. `limited` has the reported numbers of emails beyond the limit of a
 * mailbox.
 */
export async function startNotifying(): Promise<
  TestService & { readonly notify: () => Promise<void>; readonly limited: readonly number[] }
> {
  const service = await startService({ WHENCE_ROLE: 'api', PUBLIC_URL });
  const worker = startWorker(service.database);
  const limited: number[] = [];
  const context = {
    secrets: secretBox(Buffer.from(ENCRYPTION_KEY, 'hex')),
    publicUrl: PUBLIC_URL,
    onLimited: (_: unknown, emails: number) => limited.push(emails),
  };
  return {
    ...service,
    limited,
    settled: async () => {
      await worker.idle();
      await waitUntilSettled(service.database);
    },
    stop: async () => {
      await worker.stop();
      await service.stop();
    },
    notify: async () => {
      await worker.idle();
      await extendAllChains(service.database);
      const run = createPartnerNotifier(service.database, context);
      while ((await run()) === 'more');
    },
  };
}
