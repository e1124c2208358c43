import { pino } from 'pino';
import { startService, type TestService } from '#test/support/service.ts';
import { readConfig } from '#app/config.ts';
import { startService as startWhole } from '#app/main.ts';
import { ENCRYPTION_KEY } from '#test/support/encryption-key.ts';
import { verify } from '#verify/verify.ts';
import { type Options, type Outcome, runCampaign } from './campaign.ts';
import { BACKGROUND } from './judges/writes.ts';

/**
 * Settings of the API process. Publishable keys have no rate limit, and each request can claim its own network address.
 */
const SETTINGS = { WHENCE_ROLE: 'api', RATE_LIMIT_PUBLISHABLE: '0', TRUSTED_PROXIES: '127.0.0.1' };

/**
 * Runs a campaign against its own service. One process serves requests and another decides events, so writes of a
 * request can be distinguished from decisions. Verifies the database at the end.
 */
export async function fuzz(
  options: Omit<Options, 'service'>,
): Promise<Outcome & { readonly breaches: readonly unknown[] }> {
  const service = await startService(SETTINGS);
  const background = await startBackground(service);
  try {
    const outcome = await runCampaign({ ...options, service });
    await service.settled();
    return { ...outcome, breaches: (await verify(service.database)).breaches };
  } finally {
    await background.stop();
    await service.stop();
  }
}

function startBackground({ databaseUrl }: TestService): Promise<{ stop: () => Promise<void> }> {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', BACKGROUND);
  const config = readConfig({
    DATABASE_URL: url.href,
    PORT: '0',
    WHENCE_ROLE: 'worker',
    WHENCE_ENCRYPTION_KEY: ENCRYPTION_KEY,
  });
  return startWhole(config, pino({ level: 'silent' }), () => {});
}
