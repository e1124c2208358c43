import type { RouterHistory } from '@tanstack/react-router';
import type { Links } from '../controls/links.ts';

/** Returns links that the router opens. The paths of all its pages begin with `root`. */
export function routerLinks({ history }: { readonly history: RouterHistory }, root: string): Links {
  const href = (to: string): string => root + to;
  return {
    href,
    navigate: (to, { replace = false } = {}) => {
      if (replace) history.replace(href(to));
      else history.push(href(to));
    },
  };
}
