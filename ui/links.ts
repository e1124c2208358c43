import { createContext, use } from 'react';

/** How the components speak to the application's router. */
export type Links = {
  /** The address of a path of the application (`/programs/5?status=pending`): with whatever it is mounted below. */
  readonly href: (to: string) => string;
  /** Goes there without loading a page. */
  readonly navigate: (to: string, options?: { readonly replace?: boolean }) => void;
};

const plain: Links = { href: (to) => to, navigate: (to) => location.assign(to) };

export const LinksContext = createContext<Links>(plain);

export function useLinks(): Links {
  return use(LinksContext);
}

/** Whether it leads out of the application: another site, a mail, a place in this page. Those are left to the browser. */
export function leadsOut(to: string): boolean {
  return !to.startsWith('/') || to.startsWith('//');
}
