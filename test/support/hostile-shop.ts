import assert from 'node:assert/strict';
import { Whence } from '@whence/sdk';
import { SHOWN } from '../../tools/demo/portal.ts';
import { newPasskey, type Passkey } from './authenticator.ts';
import { hostileText } from './hostile-text.ts';
import type { Pages, Somebody } from './pages.ts';
import { openTill } from './payouts.ts';
import { newNetwork, openMailbox, openPortal } from './portal.ts';
import { openShop } from './shop.ts';

/** An organization with hostile texts in many fields, and its users. */
export type HostileShop = {
  readonly whence: Whence;
  readonly owner: Somebody;
  /** The cookie of a collaborator who is logged in to the portal. */
  readonly collaborator: string;
  readonly slug: string;
  /** Paths of console pages without screenshots: the second collaborator, a refunded sale and a reviewed payout. */
  readonly more: readonly string[];
};

const SLUG = 'mugs';

/** Fills many text fields of an organization with hostile texts through the API. */
export async function openHostileShop(pages: Pages): Promise<HostileShop> {
  const { service } = pages;
  const key = service.secretKey;
  const whence = new Whence({ baseUrl: service.url, apiKey: key });
  const must = async <Body>(method: string, path: string, body: object, headers = {}): Promise<Body> => {
    const reply = await service.request(method, path, { body, headers, ...('cookie' in headers ? {} : { key }) });
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
    return reply.body as Body;
  };
  await must('PATCH', '/v1/organization', { name: hostileText('organization') });
  const owner = await pages.person('owner', hostileText('person'));
  await workAs(pages, owner, must);
  await must('POST', '/v1/custom-events', { slug: 'quiz', name: hostileText('event') });
  const programs = await makePrograms(must);
  const other = await makeCollaborators(must);
  const collaborator = await openHostilePortal(pages, must, programs[0]);
  const sold = await sell(pages, must, { programs, other });
  return { whence, owner, collaborator, slug: SLUG, more: [`/collaborators/${other}`, ...sold] };
}

type Must = <Body>(method: string, path: string, body: object, headers?: object) => Promise<Body>;
type Row = { readonly id: number };
type CreationOptions = Parameters<Passkey['create']>[0];

function page(name: string, cookie: string): Readonly<Record<string, string>> {
  return { cookie: `${name}=${cookie}`, 'sec-fetch-site': 'same-origin', 'user-agent': hostileText('agent') };
}

/** Creates the records of a user's actions: a session, a passkey, an invitation, a key, a connector and a webhook. */
async function workAs(pages: Pages, { email, password, cookie }: Somebody, must: Must): Promise<void> {
  const { service } = pages;
  const headers = { 'user-agent': hostileText('agent'), 'x-forwarded-for': newNetwork() };
  const opened = await service.request('POST', '/v1/sessions', { body: { email, password }, headers });
  assert.equal(opened.status, 201, opened.text);
  await addPasskey(pages, must, '/v1/account/passkeys', page('whence', cookie));
  await must('POST', '/v1/invitations', { email: 'grace@people.example', role: 'viewer' }, page('whence', cookie));
  await must('POST', '/v1/api-keys', { label: hostileText('label') });
  const url = 'https://receiver.example/';
  await must('POST', '/v1/connectors', { kind: 'stripe', name: hostileText('connector') });
  const webhook = await must<Row>('POST', '/v1/webhooks', { url, description: hostileText('webhook') });
  await must('POST', `/v1/webhooks/${webhook.id}/test`, {});
}

async function addPasskey(
  { url }: Pages,
  must: Must,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const options = await must<CreationOptions>('POST', `${path}/challenge`, {}, headers);
  const response = newPasskey(new URL(url).origin).create(options);
  await must('POST', path, { name: hostileText('passkey'), response }, headers);
}

async function makePrograms(must: Must): Promise<readonly [number, number]> {
  const reward = { type: 'percent', percent: 10 };
  const first = await must<Row>('POST', '/v1/programs', {
    name: hostileText('program'),
    description: hostileText('description'),
    reward,
    lineFilter: { exclude: [{ name: hostileText('filter') }] },
  });
  await must('PATCH', `/v1/programs/${first.id}`, { windowDays: 60 });
  await must('PATCH', `/v1/programs/${first.id}/sign-up`, {
    mode: 'approval',
    headline: hostileText('headline'),
    fields: [{ label: hostileText('question'), type: 'long-text' }],
  });
  const second = await must<Row>('POST', '/v1/programs', { name: hostileText('second'), reward });
  const programIds = [first.id, second.id];
  await must('POST', '/v1/program-groups', { name: hostileText('group'), rule: 'newest', programIds });
  return [first.id, second.id];
}

/** Creates two collaborators. The screenshots show the first. Returns the id of the second. */
async function makeCollaborators(must: Must): Promise<number> {
  // The second address breaks out of attributes. Addresses with < or " are refused.
  const made = await Promise.all(
    [SHOWN.email, `'onmouseover=window.ran=1'{{window.ran=1}}@mail.example`].map((email, at) =>
      must<Row>('POST', '/v1/collaborators', {
        name: hostileText(`collaborator-${at}`),
        nickname: hostileText(`nickname-${at}`),
        email,
        aliases: [
          { type: 'tracking', code: `code-${at}` },
          { type: 'coupon', code: hostileText(`coupon-${at}`) },
        ],
      }),
    ),
  );
  return (made[1] as Row).id;
}

/** Opens a portal with an applicant and a logged-in collaborator. Returns the collaborator's cookie. */
async function openHostilePortal(pages: Pages, must: Must, programId: number): Promise<string> {
  const mailbox = await openMailbox(pages.service);
  const portal = await openPortal(pages.service, mailbox, SLUG, pages.service.secretKey);
  await must('PATCH', '/v1/portal-settings', { name: hostileText('portal'), supportEmail: 'help@mugs.example' });
  const applicant = 'applicant@mail.example';
  const signUp = {
    programId,
    name: hostileText('applicant'),
    email: applicant,
    answers: [{ label: hostileText('question'), value: hostileText('answer') }],
  };
  const asked = await portal.visit('POST', '/sign-ups', signUp);
  assert.equal(asked.status, 200, asked.text);
  const { token } = await mailbox.entryOf(applicant);
  assert.equal((await portal.visit('POST', '/sessions', { token })).status, 201);

  const { cookie } = await portal.enter(SHOWN.email);
  const headers = page(...(cookie.split('=') as [string, string]));
  const details = { method: 'other', holder: hostileText('holder'), account: hostileText('account') };
  await must('PATCH', '/v1/portal/account', { payoutDetails: details }, headers);
  await addPasskey(pages, must, '/v1/portal/passkeys', headers);
  return cookie;
}

type Cast = { readonly programs: readonly [number, number]; readonly other: number };

/**
 * Makes four sales: two are partly refunded while their commissions are in payouts, one is rejected, and one gets a
 * manual credit. Returns the paths of the console pages of a refunded sale and a reviewed payout.
 */
async function sell({ service }: Pages, must: Must, { programs, other }: Cast): Promise<string[]> {
  const shop = openShop(service);
  const till = openTill(service);
  const source = hostileText('source');
  const sold = async (order: string, code: string): Promise<Row[]> => {
    const trackingId = await shop.visit(code);
    await shop.custom('quiz', trackingId);
    await shop.applyCoupon(hostileText(`coupon-${code.slice(-1)}`), trackingId);
    const items = [{ externalId: hostileText('line'), name: hostileText('item'), amount: 100, quantity: 1 }];
    await shop.sell(hostileText(order), trackingId, { source, items });
    await service.settled();
    const { id } = await shop.transactionOf(hostileText(order));
    return shop.get<Row[]>(`/v1/conversions?transactionId=${id}`);
  };
  const paid = [...(await sold('order-0', 'code-0')), ...(await sold('order-1', 'code-1'))];
  for (const { id } of paid) await must('POST', `/v1/conversions/${id}/approve`, {});
  const run = await till.runOne();
  await till.move(run.id, 'process');
  for (const order of ['order-0', 'order-1'])
    await must('POST', '/v1/event/refund', {
      source,
      externalId: hostileText(order),
      amount: 50,
      refundId: hostileText('refund'),
    });
  await service.settled();
  const [first] = await till.payoutsOf(run);
  await till.review((first as Row).id, 'keep', hostileText('note'));

  for (const { id } of await sold('order-2', 'code-0'))
    await must('POST', `/v1/conversions/${id}/reject`, { reason: hostileText('reason') });
  await sold('order-3', 'code-0');
  const { id } = await shop.transactionOf(hostileText('order-3'));
  const credit = { collaboratorId: other, programId: programs[1], amount: 5, note: hostileText('credit') };
  await must('POST', `/v1/transactions/${id}/credits`, credit);
  const returned = await shop.transactionOf(hostileText('order-0'));
  return [`/sales/${returned.id}`, `/payouts/${(first as Row).id}`];
}
