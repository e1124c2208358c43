import type { Whence } from '@whence/sdk';
import { CircleCheck, Landmark, type LucideIcon, Percent, Route, ShoppingBag, Users } from 'lucide-react';
import { frame as texts } from './frame-texts.ts';

/** A search result and its URL. */
export type Hit = {
  readonly to: string;
  readonly label: string;
  readonly detail: string | undefined;
  readonly icon: LucideIcon;
};

const { commands: words } = texts;
const ROWS_OF_A_KIND = 5;

/**
 * Returns the pages of the partner, sale, conversion, payout, program and opportunity with the typed id, because an id
 * does not reveal its resource type. Omits an opportunity without an engagement. Returns nothing for a text that is not
 * an id.
 */
export async function byId(api: Whence, text: string, signal: AbortSignal): Promise<Hit[]> {
  const [, id] = /^#?(\d{1,16})$/.exec(text.trim()) ?? [];
  if (id === undefined) return [];
  const one = { ids: id, perPage: 1 };
  const exists = async (page: Promise<{ readonly data: readonly unknown[] }>) => (await page).data.length > 0;
  const kinds = [
    ['collaborators', Users, words.collaborator, exists(api.collaborators.list(one, { signal }).page())],
    ['sales', ShoppingBag, words.sale, exists(api.transactions.list(one, { signal }).page())],
    ['conversions', CircleCheck, words.conversion, exists(api.conversions.list(one, { signal }).page())],
    ['payouts', Landmark, words.payout, exists(api.payouts.list(one, { signal }).page())],
    ['programs', Percent, words.program, exists(api.programs.list(one, { signal }).page())],
    [
      'opportunities',
      Route,
      words.opportunity,
      exists(api.engagements.list({ opportunityId: Number(id), perPage: 1 }, { signal }).page()),
    ],
  ] as const;
  const found = await Promise.all(kinds.map(([, , , isThere]) => isThere));
  return kinds.flatMap(([path, icon, label], at) =>
    found[at] === true ? [{ to: `/${path}/${id}`, label: label(id), detail: undefined, icon }] : [],
  );
}

/**
 * Finds partners, programs and sales with the text search of the API. Sales match by any part of their order number, or
 * by a whole coupon code. Returns at most ROWS_OF_A_KIND results of each kind.
 */
export async function lookUp(api: Whence, text: string, signal: AbortSignal): Promise<Hit[]> {
  const limit = { perPage: ROWS_OF_A_KIND };
  const [collaborators, programs, sales] = await Promise.all([
    api.collaborators.list({ ...limit, search: text }, { signal }).page(),
    api.programs.list({ ...limit, search: text }, { signal }).page(),
    api.transactions.list({ ...limit, search: text }, { signal }).page(),
  ]);
  return [
    ...collaborators.data.map(({ id, name }) => hitOf(`/collaborators/${id}`, name, words.kinds.collaborator, Users)),
    ...programs.data.map(({ id, name }) => hitOf(`/programs/${id}`, name, words.kinds.program, Percent)),
    ...sales.data.map(({ id, externalId }) => hitOf(`/sales/${id}`, externalId, words.kinds.sale, ShoppingBag)),
  ];
}

function hitOf(to: string, label: string, detail: string, icon: LucideIcon): Hit {
  return { to, label, detail, icon };
}
