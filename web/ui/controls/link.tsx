import type { ComponentProps, MouseEvent } from 'react';
import { classNames } from './class-names.ts';
import { leadsOut, useLinks } from './links.ts';
import styles from './link.module.css';

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** A path of the application (`/programs/5`), or an external address. */
  readonly href: string;
  /** Whether to use the color of the surrounding text, as for names in tables. Default: false. */
  readonly quiet?: boolean | undefined;
};

/**
 * Renders a link that the router opens. The browser itself opens external addresses, and links that are pressed with a
 * modifier key.
 */
export function Link({ href, quiet, className, ...rest }: LinkProps) {
  const props = useLinkProps(href, rest);
  return <a {...props} className={classNames(quiet && styles.quiet, className)} />;
}

/** Returns the props of an `<a>` that works like Link, for components with their own element. */
export function useLinkProps(href: string, props: Omit<ComponentProps<'a'>, 'href'> = {}): ComponentProps<'a'> {
  const links = useLinks();
  if (leadsOut(href)) {
    const elsewhere = /^(https?:)?\/\//.test(href) ? { rel: 'noopener noreferrer' } : {};
    return { ...elsewhere, ...props, href };
  }
  return {
    ...props,
    href: links.href(href),
    onClick: (event) => {
      props.onClick?.(event);
      if (event.defaultPrevented || props.target === '_blank' || isForBrowser(event)) return;
      event.preventDefault();
      links.navigate(href);
    },
  };
}

function isForBrowser(event: MouseEvent): boolean {
  return event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
}
