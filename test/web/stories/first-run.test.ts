import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { Whence } from '@whence/sdk';
import type { OpenPage } from '../../support/browser.ts';
import { PASSWORD } from '../../support/pages.ts';
import { checkoutCompleted, SECRET, signBody } from '../../support/stripe.ts';
import { describeStory } from '../../support/stories.ts';

const run = promisify(execFile);

/** A port that refuses connections, so that emails stay queued, but the pages say that emails are sent. */
const SMTP_URL = 'smtp://127.0.0.1:9';

describeStory('First run: from an empty installation to a first commission', { SMTP_URL }, (stage) => {
  let open: OpenPage;

  /** Opens a step of the guided start. */
  const step = (name: string): Promise<void> =>
    stage().press(open.page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name }));
  const figures = async (): Promise<number> => {
    const { service } = stage();
    const whence = new Whence({ baseUrl: service.url, apiKey: service.secretKey });
    const lists = [whence.transactions, whence.conversions, whence.events] as const;
    const counts = await Promise.all(lists.map(async (list) => (await list.list({ perPage: 1 }).page()).data.length));
    return counts.reduce((sum, count) => sum + count, 0);
  };

  it('the owner is created with the printed link, and then sees the guided start', async () => {
    const { service, press, check } = stage();
    const link = service.printed.join('\n').match(/\/console(\/welcome#[\w-]{43})/)?.[1] ?? '';
    open = await stage().open(link);
    const { page } = open;
    await check(open, 'welcome');
    await page.getByLabel('Your name').fill('Grace Hopper');
    await page.getByLabel('Email').fill('grace@mugs.example');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press(page.getByRole('button', { name: 'Create account' }));
    await page.waitForURL(`${stage().url}/start`);
    await page.getByRole('heading', { name: 'Name your shop' }).waitFor();
    await check(open, 'start shop');
  });

  it('the owner enters the name and the address of the shop, and an invalid address is refused', async () => {
    const { press, check } = stage();
    const { page } = open;
    await page.getByLabel('Name', { exact: true }).fill('Ada’s Mugs');
    await page.getByLabel('Page for partner links').fill('mugs shop');
    await press(page.getByRole('button', { name: 'Save and continue' }));
    await page.locator('[aria-invalid=true]').waitFor();
    await check(open, 'start shop wrong address');
    await page.getByLabel('Page for partner links').fill('mugs.example');
    await press(page.getByRole('button', { name: 'Save and continue' }));
    await page.getByRole('heading', { name: 'Create a program' }).waitFor();
    await check(open, 'start program');
  });

  it('the owner creates a program from a recipe, and returns to the guided start', async () => {
    const { press, check } = stage();
    const { page } = open;
    await press(page.getByRole('link', { name: 'Ten-percent affiliate' }));
    await page.getByLabel('Percent', { exact: true }).fill('12.5');
    await page.getByText('Partners earn 12.5% of each sale').first().waitFor();
    await check(open, 'recipe');
    await press(page.getByRole('button', { name: 'Create program' }));
    await page.waitForURL(`${stage().url}/start`);
    await page.getByRole('heading', { name: 'Invite a partner' }).waitFor();
    await page.getByText('To send invitations, set up the portal.').waitFor();
    await check(open, 'start partner');
  });

  it('the owner sets up the portal and invites the first partner, who finds their link there', async () => {
    const { press, check, mailbox } = stage();
    const { page } = open;
    await press(page.getByRole('link', { name: 'Portal settings' }));
    await page.getByRole('heading', { name: 'Portal', level: 1 }).waitFor();
    await check(open, 'portal settings');
    await page.getByLabel('Short name').fill('mugs');
    await press(page.getByRole('button', { name: 'Save' }).first());
    await page.getByText('The portal is saved').waitFor();
    await page.goto(`${stage().url}/start`);
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
    assert.equal(await page.getByLabel('Code', { exact: true }).inputValue(), 'ada');
    await page.getByLabel('Email', { exact: true }).fill('ada@start.example');
    await press(page.getByRole('checkbox', { name: 'Invite to the portal' }));
    await press(page.getByRole('button', { name: 'Add partner', exact: true }));
    await page.getByText('an invitation is on its way to ada@start.example').waitFor();
    await page.getByText('https://mugs.example/?ref=ada').waitFor();
    await check(open, 'start partner added');

    const [mail] = await mailbox.mailsTo('ada@start.example');
    const path = /\/portal(\/mugs\S*)/.exec(mail?.text ?? '')?.[1] ?? '';
    const ada = await stage().openPortal(path);
    await check(ada, 'portal invitation');
    await ada.page.getByLabel('Email').fill('ada@start.example');
    await press(ada.page.getByRole('button', { name: 'Email me a link' }));
    await ada.page.getByLabel('Code').waitFor();
    await ada.page.getByLabel('Code').fill((await mailbox.entryOf('ada@start.example')).code);
    await press(ada.page.getByRole('button', { name: 'Log in' }));
    await ada.page.getByText('https://mugs.example/?ref=ada').first().waitFor();
    await check(ada, 'portal home');
    await ada.close();
  });

  it('a test order of the connected system is ignored and is in no figure', async () => {
    const { press, check, service } = stage();
    const { page } = open;
    await press(page.getByRole('button', { name: 'Continue' }));
    await page.getByRole('heading', { name: 'Connect your shop' }).waitFor();
    await check(open, 'start connect');
    await press(page.getByRole('link', { name: 'Connect a system' }));
    const dialog = page.getByRole('dialog');
    await check(open, 'new connector');
    await press(dialog.getByRole('button', { name: 'Create connector' }));
    await page.getByText('Step 1 of 3').waitFor();
    await check(open, 'connector');
    await page.getByLabel('Signing secret').fill(SECRET);
    await press(page.getByRole('button', { name: 'Save secret' }));
    await page.getByText('Waiting for events').waitFor();
    const session = { id: 'cs_1', mode: 'payment', payment_intent: 'pi_1', amount_total: 5_000, livemode: false };
    const body = JSON.stringify({ ...checkoutCompleted(session), livemode: false });
    const headers = { 'content-type': 'application/json', 'stripe-signature': signBody(body) };
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await service.request('POST', `/v1/connectors/${id}/webhook`, { body, headers });
    await page.getByText('Ignored', { exact: true }).waitFor();
    await check(open, 'ignored test event');
    assert.equal(await figures(), 0);
  });

  it('a test sale shows its commission and the reason for it, is in no figure, and is removed with one click', async () => {
    const { press, check, goTo } = stage();
    const { page } = open;
    await page.goto(`${stage().url}/start`);
    await step('Test sale');
    await page.getByLabel('Amount of the sale').fill('80');
    await check(open, 'start test sale');
    await press(page.getByRole('button', { name: 'Send a test sale' }));
    await page.getByText('The test sale earned a commission').waitFor();
    await page.getByText(/awarded .*10.00, waiting for approval/).waitFor();
    await page.getByText('The ledger recorded one entry.').waitFor();
    await check(open, 'test sale earned');
    assert.equal(await figures(), 0);
    await press(page.getByRole('button', { name: 'Remove test sale' }));
    await page.getByLabel('Amount of the sale').waitFor();
    await goTo(open, 'Overview');
    await open.still();
    await check(open, 'overview without sales');
    await goTo(open, 'Sales');
    await page.getByText('No sales yet').waitFor();
    await check(open, 'no sales');
  });

  it('a sale that is reported in a terminal completes the guided start, and the overview lists its partner', async () => {
    const { press, check } = stage();
    const { page } = open;
    await page.goto(`${stage().url}/start`);
    await step('Connect');
    await press(page.getByRole('button', { name: /Create (both|new) keys/ }));
    await page.getByText('shown only once').waitFor();
    await check(open, 'keys');
    await run('bash', ['-c', await page.getByRole('group', { name: 'In a terminal' }).locator('code').innerText()]);
    await page.getByText('You are set up').waitFor();
    await check(open, 'set up');
    await press(page.getByRole('link', { name: 'Go to the overview' }));
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.getByText('Ada Lovelace').first().waitFor();
    await check(open, 'overview with a sale');
  });
});
