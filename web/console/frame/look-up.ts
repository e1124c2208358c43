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
 * Returns the pages of all resources that may have the typed id, because an id does not reveal its resource type.
 * Returns nothing for a text that is not an id.
 */
export function byId(text: string): Hit[] {
  const [, id] = /^#?(\d{1,16})$/.exec(text.trim()) ?? [];
  if (id === undefined) return [];
  const hit = (path: string, icon: LucideIcon, label: (id: string) => string): Hit => ({
    to: `/${path}/${id}`,
    label: label(id),
    detail: undefined,
    icon,
  });
  return [
    hit('collaborators', Users, words.collaborator),
    hit('sales', ShoppingBag, words.sale),
    hit('conversions', CircleCheck, words.conversion),
    hit('payouts', Landmark, words.payout),
    hit('programs', Percent, words.program),
    hit('opportunities', Route, words.opportunity),
  ];
}

/**
 * Finds collaborators and programs with the text search of the API, and sales by their order number. Returns at most
 * ROWS_OF_A_KIND of each.
 */
export async function lookUp(api: Whence, text: string, signal: AbortSignal): Promise<Hit[]> {
  const asked = { perPage: ROWS_OF_A_KIND };
  const [collaborators, programs, sales] = await Promise.all([
    api.collaborators.list({ ...asked, search: text }, { signal }).page(),
    api.programs.list({ ...asked, search: text }, { signal }).page(),
    api.transactions.list({ ...asked, externalId: text }, { signal }).page(),
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
