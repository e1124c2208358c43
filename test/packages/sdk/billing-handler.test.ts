import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startService, type TestService } from '#test/support/service.ts';

/*
 * Runs the handler in docs/how-to/connect-a-saas.md. Only its import of the SDK and its two environment variables are
 * replaced.
 */

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'how-to', 'connect-a-saas.md'), 'utf8');

type Stored = { firstInvoice: string; whenceNumber: string | null };
type Handler = {
  readonly invoicePaid: (
    invoice: object,
    rememberFirst: (id: string, invoice: string) => Promise<Stored>,
  ) => Promise<void>;
  readonly refunded: (invoiceId: string, refundId: string, amountMinor: number) => Promise<void>;
  readonly disputeLost: (invoiceId: string, disputeId: string, amountMinor: number) => Promise<void>;
};

describe('the billing handler in docs/how-to/connect-a-saas.md', () => {
  let service: TestService;
  let handler: Handler;
  let folder: string;
  let whenceNumber: string;
  before(async () => {
    service = await startService();
    const key = service.secretKey;
    await service.request('POST', '/v1/programs', {
      key,
      body: { name: 'Partners', reward: { type: 'percent', percent: 20 }, pays: ['sale', 'renewal'] },
    });
    await service.request('POST', '/v1/collaborators', {
      key,
      body: { name: 'Ada', aliases: [{ type: 'tracking', code: 'ada' }] },
    });
    const visit = await service.request('POST', '/v1/event/site-visited', {
      key,
      body: { collaboratorId: 'tracking:ada' },
    });
    whenceNumber = visit.headers.get('x-service-oid') ?? '';
    folder = mkdtempSync(join(tmpdir(), 'whence-handler-'));
    handler = await handlerOfPage(folder, service);
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await service.stop();
  });

  it('reports the first positive invoice as a sale, later invoices as renewals, and a lost dispute as a refund', async () => {
    let firstInvoice: string | undefined;
    const remember = async (_customer: string, invoice: string): Promise<Stored> => {
      firstInvoice ??= invoice;
      return { firstInvoice, whenceNumber };
    };
    const invoice = (id: string, net: number) => ({
      id,
      customerId: 'cus_1',
      net,
      tax: net / 10,
      currency: 'usd',
      paidAt: new Date().toISOString(),
    });
    await handler.invoicePaid(invoice('in_trial', 0), remember);
    await handler.invoicePaid(invoice('in_1', 5_000), remember);
    await handler.invoicePaid(invoice('in_1', 5_000), remember);
    await handler.invoicePaid(invoice('in_2', 5_000), remember);
    await handler.refunded('in_2', 're_1', 2_750);
    await handler.disputeLost('in_2', 'dp_1', 5_500);
    await handler.invoicePaid(invoice('in_3', 5_000), remember);
    await handler.refunded('in_3', 're_2', 2_750);
    await service.settled();
    const { body } = await service.request('GET', '/v1/conversions?sort=id', { key: service.secretKey });
    assert.deepEqual(
      (body as readonly Record<string, unknown>[]).map(({ type, status, awarded, amount }) => ({
        type,
        status,
        awarded,
        amount,
      })),
      [
        { type: 'sale', status: 'pending', awarded: 1_000, amount: 1_000 },
        { type: 'renewal', status: 'rejected', awarded: 1_000, amount: 500 },
        { type: 'renewal', status: 'pending', awarded: 1_000, amount: 500 },
      ],
    );
  });

  it('fails if a renewal arrives before its sale, so that the billing system sends the renewal again', async () => {
    const remember = async (): Promise<Stored> => ({ firstInvoice: 'in_missing', whenceNumber: null });
    const invoice = {
      id: 'in_9',
      customerId: 'cus_2',
      net: 100,
      tax: 0,
      currency: 'usd',
      paidAt: new Date().toISOString(),
    };
    await assert.rejects(handler.invoicePaid(invoice, remember), { code: 'sale-not-found' });
  });
});

async function handlerOfPage(folder: string, { url, secretKey }: TestService): Promise<Handler> {
  const [, code = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(PAGE) ?? [];
  const sdk = pathToFileURL(join(ROOT, 'packages', 'sdk', 'src', 'whence.ts')).href;
  const source = code
    .replace("'@whence/sdk'", JSON.stringify(sdk))
    .replace('process.env.WHENCE_URL', JSON.stringify(url))
    .replace('process.env.WHENCE_KEY', JSON.stringify(secretKey));
  const file = join(folder, 'handler.ts');
  writeFileSync(file, source);
  return (await import(pathToFileURL(file).href)) as Handler;
}
