import type { PortalLink } from '@whence/sdk';
import type { Figure } from '#portal/period.ts';
import { csvFile } from '#ui/csv.ts';
import { majorText } from '#ui/formats/money.ts';

/** A link with what came by it in a period. */
export type CountedLink = PortalLink & { readonly earned: Figure['earned'] };

/** Each link with its figures; one by which nothing came has none. */
export function countedLinks(links: readonly PortalLink[], figures: readonly Figure[]): CountedLink[] {
  const byLink = new Map(figures.map((figure) => [figure.linkId, figure]));
  return links.map((link) => {
    const { visits = 0, conversions = 0, earned = [] } = byLink.get(link.id) ?? {};
    return { ...link, visits, conversions, earned };
  });
}

/** What came by none of them: by links that were retired, or by no link. */
export function restOf(links: readonly PortalLink[], figures: readonly Figure[]) {
  const others = figures.filter(({ linkId }) => links.every(({ id }) => id !== linkId));
  const sum = (field: 'visits' | 'conversions') => others.reduce((total, figure) => total + figure[field], 0);
  return { visits: sum('visits'), conversions: sum('conversions') };
}

/** Those whose code has the text in it. */
export function matching(links: readonly CountedLink[], text: string | undefined): readonly CountedLink[] {
  const part = text?.toLowerCase() ?? '';
  return part === '' ? links : links.filter(({ code }) => code.toLowerCase().includes(part));
}

/** By a field, `-` before it for the largest first; else as they were made. Amounts of one currency alone can be compared. */
export function sorted(links: readonly CountedLink[], sort: string | undefined): readonly CountedLink[] {
  if (sort === undefined) return links;
  const field = sort.replace('-', '');
  const sign = sort.startsWith('-') ? -1 : 1;
  return links.toSorted((a, b) => sign * compared(valueOf(a, field), valueOf(b, field)));
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

function compared(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** As a file for spreadsheets; a line for each currency. */
export function csvOfLinks(links: readonly CountedLink[]): Blob {
  const lines = links.flatMap(({ code, url, visits, conversions, earned, createdAt }) => {
    const amounts = earned.length === 0 ? [{ currency: '', amount: 0 }] : earned;
    return amounts.map(({ currency, amount }) => [
      code,
      url ?? '',
      createdAt,
      visits,
      conversions,
      majorText(amount),
      currency,
    ]);
  });
  return csvFile([['code', 'url', 'createdAt', 'visits', 'conversions', 'earned', 'currency'], ...lines]);
}
