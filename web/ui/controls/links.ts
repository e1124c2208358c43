import { createContext, use } from 'react';

/** The interface between components and the application's router. */
export type Links = {
  /** Returns a path of the application (`/programs/5?status=pending`) with the base path before it. */
  readonly href: (to: string) => string;
  /** Opens the path without loading a page. */
  readonly navigate: (to: string, options?: { readonly replace?: boolean }) => void;
};

const plain: Links = { href: (to) => to, navigate: (to) => location.assign(to) };

export const LinksContext = createContext<Links>(plain);

export function useLinks(): Links {
  return use(LinksContext);
}

/**
 * Returns whether an address is outside of the application: another site, an email address, or an anchor. The browser
 * handles such addresses.
 */
export function leadsOut(to: string): boolean {
  return !to.startsWith('/') || to.startsWith('//');
}
