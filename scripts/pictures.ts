import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conversion, InvitationPreview, Whence } from '@whence/sdk';
import { SHOWN } from '../tools/demo/portal.ts';

export type App = 'console' | 'portal';

/** One picture of a route. Every route has at least one picture. */
export type Picture = {
  /** `nobody` shows the page without a login. By default, the page is shown with a login. */
  readonly seenBy?: 'nobody';
  /**
   * Returns the path within the application. Needed if the route has a parameter, or if the picture shows a certain tab
   * or dialog.
   */
  readonly at?: (whence: Whence) => Promise<string>;
  /** The invitation preview that the page loads. No real invitation is created, because it would stay in the demo. */
  readonly invitation?: InvitationPreview;
  /** The suffix of the picture's name if the route has several pictures. */
  readonly named?: string;
  /** The name of the picture in docs/images/, if the README or a page in docs/ shows it. */
  readonly inDocs?: string;
};

const ORGANIZATION = 'Teapot & Daughters';

const program = async (whence: Whence): Promise<string> => `/programs/${await changedProgram(whence)}`;
const backtest = async (whence: Whence): Promise<string> => `/backtests/${await finishedBacktest(whence)}`;
const collaborator = async (whence: Whence): Promise<string> => `/collaborators/${await shownCollaborator(whence)}`;
const waiting = async (whence: Whence): Promise<string> => `/collaborators/${await waitingCollaborator(whence)}`;
const sale = async (whence: Whence): Promise<string> => `/sales/${(await sharedConversion(whence)).transactionId}`;
const conversion = async (whence: Whence): Promise<string> => `/conversions/${(await sharedConversion(whence)).id}`;
const visitor = async (whence: Whence): Promise<string> => `/opportunities/${await sharedVisitor(whence)}`;
const payout = async (whence: Whence): Promise<string> => `/payouts/${(await flaggedPayout(whence)).id}`;
const run = async (whence: Whence): Promise<string> => `/payouts/runs/${(await flaggedPayout(whence)).fulfillmentId}`;
const connector = async (whence: Whence): Promise<string> => `/connectors/${await newestConnector(whence)}`;
const webhook = async (whence: Whence): Promise<string> => `/webhooks/${await newestWebhook(whence)}`;

/** The pictures of each route of both applications. */
export const PICTURES: Readonly<Record<App, Readonly<Record<string, readonly Picture[]>>>> = {
  console: {
    '/': [{ inDocs: 'overview' }],
    '/start': [{}],
    '/programs': [{}],
    '/programs/new': [
      {},
      ...variantsOf(fixedPath('/programs/new'), {
        recipe: '?recipe=coupon-influencer',
        set: '?recipe=tiered-with-vip-group',
      }),
    ],
    '/programs/$id': [
      { at: program },
      ...variantsOf(program, {
        collaborators: '?tab=collaborators',
        'sign-up': '?tab=sign-up',
        versions: '?tab=versions',
        version: '?tab=versions&version=2',
      }),
    ],
    '/programs/$id/edit': [{ at: async (whence) => `${await program(whence)}/edit` }],
    '/backtests': [{}],
    '/backtests/$id': [
      { at: backtest },
      ...variantsOf(backtest, { hands: '?tab=hands', differences: '?tab=differences' }),
    ],
    '/groups': [{}],
    '/collaborators': [{}, ...variantsOf(fixedPath('/collaborators'), { waiting: '?tab=waiting' })],
    '/collaborators/$id': [
      { at: collaborator },
      ...variantsOf(collaborator, { programs: '?tab=programs', money: '?tab=money', conversions: '?tab=conversions' }),
      ...variantsOf(waiting, { 'sign-ups': '?tab=sign-ups' }),
    ],
    '/announcements': [{}],
    '/materials': [{}],
    '/opportunities': [{}],
    '/opportunities/$id': [{ at: visitor }],
    '/sales': [{}],
    '/sales/$id': [{ at: sale, inDocs: 'sale' }],
    '/conversions': [{}, ...variantsOf(fixedPath('/conversions'), { all: '?tab=all' })],
    '/conversions/$id': [{ at: conversion }],
    '/fraud': [{}, ...variantsOf(fixedPath('/fraud'), { signals: '?tab=signals' })],
    '/payouts': [
      {},
      ...variantsOf(fixedPath('/payouts'), {
        'new-run': '?new=run',
        runs: '?tab=runs',
        all: '?tab=payouts',
        review: '?tab=review',
      }),
    ],
    '/payouts/runs/$id': [{ at: run, inDocs: 'run' }],
    '/payouts/$id': [{ at: payout }],
    '/connectors': [{}, ...variantsOf(fixedPath('/connectors'), { new: '?new=connector' })],
    '/connectors/$id': [{ at: connector }],
    '/webhooks': [{}, ...variantsOf(fixedPath('/webhooks'), { new: '?new=webhook' })],
    '/webhooks/$id': [{ at: webhook }],
    '/keys': [{}, ...variantsOf(fixedPath('/keys'), { new: '?new=key' })],
    '/people': [
      {},
      ...variantsOf(fixedPath('/people'), { invitations: '?tab=invitations', new: '?tab=invitations&new=invitation' }),
    ],
    '/audit': [{}],
    '/live': [{}],
    '/settings': [{}],
    '/settings/portal': [{}],
    '/settings/agreement': [{}],
    '/settings/emails': [{}],
    '/settings/payouts': [{}],
    '/settings/currency': [{}],
    '/settings/account': [{}],
    '/sign-in': [{ seenBy: 'nobody' }],
    '/welcome': [
      {
        seenBy: 'nobody',
        at: fixedPath('/welcome#token'),
        invitation: { organization: ORGANIZATION, email: null, role: 'owner' },
      },
    ],
    '/invitation': [
      {
        seenBy: 'nobody',
        at: fixedPath('/invitation#token'),
        invitation: { organization: ORGANIZATION, email: 'toni@example.com', role: 'manager' },
      },
    ],
    '/reset': [{ seenBy: 'nobody' }, { seenBy: 'nobody', named: 'by-link', at: fixedPath('/reset#token') }],
  },
  portal: {
    '/': [{ inDocs: 'portal' }],
    '/links': [{}],
    '/materials': [{}],
    '/conversions': [{}],
    '/payouts': [{}],
    '/agreement': [{}],
    '/settings': [{}],
    '/sign-up': [{ seenBy: 'nobody' }],
    '/sign-up/$program': [{ seenBy: 'nobody', at: async (whence) => `/sign-up/${await changedProgram(whence)}` }],
    '/join': [{ seenBy: 'nobody', at: fixedPath('/join#token') }],
    '/sign-in': [{ seenBy: 'nobody' }],
    '/enter': [{ seenBy: 'nobody' }, { named: 'signed-in' }],
  },
};

function fixedPath(path: string): () => Promise<string> {
  return () => Promise.resolve(path);
}

/**
 * Returns pictures of the same page with different query strings. The keys of `searches` are the suffixes of the
 * pictures' names.
 */
function variantsOf(page: (whence: Whence) => Promise<string>, searches: Readonly<Record<string, string>>): Picture[] {
  return Object.entries(searches).map(([named, search]) => ({
    named,
    at: async (whence) => (await page(whence)) + search,
  }));
}

/** Returns the paths of an application, as declared in its router. */
export function routesOf(app: App): string[] {
  const source = readFileSync(join(import.meta.dirname, '..', 'web', app, 'router.tsx'), 'utf8');
  return [...source.matchAll(/\b(?:page|openPage)\(\s*'(?<path>\/[^']*)'/g)].map(
    ({ groups }) => groups?.['path'] ?? '',
  );
}

/** Returns a message for each route without a picture, and for each picture without a route. */
export function missingPictures(): string[] {
  return (['console', 'portal'] as const).flatMap((app) => {
    const routes = routesOf(app);
    const pictured = Object.keys(PICTURES[app]);
    return [
      ...routes.filter((route) => !pictured.includes(route)).map((route) => `${app}${route} has no picture`),
      ...pictured.filter((route) => !routes.includes(route)).map((route) => `${app}${route} is not a route`),
    ];
  });
}

/** Returns the id of the program with the most versions: the affiliate program, which also accepts sign-ups. */
async function changedProgram(whence: Whence): Promise<number> {
  const programs = await whence.programs.list().toArray({ limit: 100 });
  return requireFound(programs.sort((a, b) => b.version - a.version || a.id - b.id)[0], 'program').id;
}

/**
 * Returns a conversion of the sale with the most conversions, among the newest 200 conversions. If several sales have
 * equally many, returns a conversion of the sale with the newest conversion.
 */
async function sharedConversion(whence: Whence): Promise<Conversion> {
  const newest = await whence.conversions.list({ type: 'sale', sort: '-id' }).toArray({ limit: 200 });
  const bySale = Map.groupBy(newest, ({ transactionId }) => transactionId);
  const most = [...bySale.values()].reduce((most, each) => (each.length > most.length ? each : most), []);
  return requireFound(most[0], 'conversion');
}

/** Returns the id of the collaborator whose portal the pictures show. */
async function shownCollaborator(whence: Whence): Promise<number> {
  const [shown] = await whence.collaborators.list({ email: SHOWN.email }).toArray({ limit: 1 });
  return requireFound(shown, `collaborator with the email address ${SHOWN.email}`).id;
}

async function waitingCollaborator(whence: Whence): Promise<number> {
  const [waiting] = await whence.collaborators.list({ status: 'pending', sort: 'id' }).toArray({ limit: 1 });
  return requireFound(waiting, 'pending collaborator').id;
}

async function sharedVisitor(whence: Whence): Promise<number> {
  const { transactionId } = await sharedConversion(whence);
  return requireFound((await whence.transactions.get(transactionId)).opportunityId ?? undefined, 'referred sale');
}

async function flaggedPayout(whence: Whence): Promise<{ readonly id: number; readonly fulfillmentId: number }> {
  const [flagged] = await whence.payouts.list({ review: 'flagged', sort: '-id' }).toArray({ limit: 1 });
  const [newest] = await whence.payouts.list({ sort: '-id' }).toArray({ limit: 1 });
  return requireFound(flagged ?? newest, 'payout');
}

/** Returns the id of the newest finished backtest. If there is none, runs a backtest of two drafts. */
async function finishedBacktest(whence: Whence): Promise<number> {
  const find = async () => (await whence.backtests.list({ status: 'succeeded' }).toArray({ limit: 1 }))[0]?.id;
  const known = await find();
  if (known !== undefined) return known;
  const days = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  await whence.programs.backtest(await changedProgram(whence), {
    from: days(90),
    until: days(-1),
    drafts: [
      { name: 'Twelve percent', terms: { reward: { type: 'percent', percent: 12 } } },
      { name: 'First touch', terms: { attribution: 'first-touch' } },
    ],
  });
  for (;;) {
    const id = await find();
    if (id !== undefined) return id;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function newestConnector(whence: Whence): Promise<number> {
  const [connector] = await whence.connectors.list({ sort: '-id' }).toArray({ limit: 1 });
  return requireFound(connector, 'connector').id;
}

async function newestWebhook(whence: Whence): Promise<number> {
  const [webhook] = await whence.webhooks.list({ sort: '-id' }).toArray({ limit: 1 });
  return requireFound(webhook, 'webhook').id;
}

function requireFound<T>(thing: T | undefined, what: string): T {
  if (thing === undefined)
    throw new Error(`The demo has no ${what}, but a picture needs it. Change the demo or scripts/pictures.ts.`);
  return thing;
}
