import type { PortalLink } from '@whence/sdk';
import type { Figure } from '../period.ts';
import { csvFile } from '#web/ui/table/csv.ts';
import { majorText } from '#web/ui/formats/money.ts';

/** A partner link or coupon with its visits, conversions and earnings in a period. */
export type CountedLink = PortalLink & { readonly earned: Figure['earned'] };

/** Returns each link with its figures. The figures of a link without results are zero. */
export function countedLinks(links: readonly PortalLink[], figures: readonly Figure[]): CountedLink[] {
  const byLink = new Map(figures.map((figure) => [figure.linkId, figure]));
  return links.map((link) => {
    const { visits = 0, conversions = 0, earned = [] } = byLink.get(link.id) ?? {};
    return { ...link, visits, conversions, earned };
  });
}

/** Returns the total visits and conversions of retired links and of figures without a link. */
export function restOf(links: readonly PortalLink[], figures: readonly Figure[]) {
  const others = figures.filter(({ linkId }) => links.every(({ id }) => id !== linkId));
  const sum = (field: 'visits' | 'conversions') => others.reduce((total, figure) => total + figure[field], 0);
  return { visits: sum('visits'), conversions: sum('conversions') };
}

/** Returns the links whose code contains the text, regardless of case. Without a text, returns all links. */
export function filterLinks(links: readonly CountedLink[], text: string | undefined): readonly CountedLink[] {
  const part = text?.toLowerCase() ?? '';
  return part === '' ? links : links.filter(({ code }) => code.toLowerCase().includes(part));
}

/**
 * Returns the links sorted by a field, or unchanged without a field. A `-` prefix sorts descending. The earnings of a
 * link count with their highest amount, regardless of its currency.
 */
export function sortLinks(links: readonly CountedLink[], sort: string | undefined): readonly CountedLink[] {
  if (sort === undefined) return links;
  const field = sort.replace('-', '');
  const sign = sort.startsWith('-') ? -1 : 1;
  return links.toSorted((a, b) => sign * compareValues(valueOf(a, field), valueOf(b, field)));
}

function valueOf(link: CountedLink, field: string): string | number {
  switch (field) {
    case 'code':
      return link.code;
    case 'visits':
    case 'conversions':
      return link[field];
    default:
      return link.earned.reduce((most, { amount }) => Math.max(most, amount), 0);
  }
}

function compareValues(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the links as a CSV file with one line per link and currency. A link without earnings has one line. */
export function csvOfLinks(links: readonly CountedLink[]): Blob {
  const lines = links.flatMap(({ code, url, shortUrl, visits, conversions, earned, createdAt }) => {
    const amounts = earned.length === 0 ? [{ currency: '', amount: 0 }] : earned;
    return amounts.map(({ currency, amount }) => [
      code,
      url ?? '',
      shortUrl ?? '',
      createdAt,
      visits,
      conversions,
      majorText(amount),
      currency,
    ]);
  });
  return csvFile([['code', 'url', 'shortUrl', 'createdAt', 'visits', 'conversions', 'earned', 'currency'], ...lines]);
}
