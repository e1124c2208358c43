import { attempt } from './attempt.ts';
import type { Settings } from './options.ts';

const STRIPE = /^(buy|book|donate)\.stripe\.com$/;
const STRIPE_PARAM = 'client_reference_id';

/** Gives the number to what leads to the checkout: links at the moment they are used, and form fields. */
export function along({ links, linkParam, fields, stripe }: Settings, id: () => string | undefined) {
  let filled: string | undefined;

  /** Fields that hold a number of ours lose it when it is forgotten. */
  const fill = (): void => {
    const number = id();
    attempt(() => {
      for (const field of document.querySelectorAll<HTMLInputElement>(fields)) {
        if (number ?? field.value === filled) field.value = number ?? '';
      }
    });
    filled = number ?? filled;
  };

  const paramOf = (url: URL): string => (stripe && STRIPE.test(url.hostname) ? STRIPE_PARAM : linkParam);

  const decorate = (link: string): string =>
    attempt(() => {
      const number = id();
      const url = new URL(link, document.baseURI);
      const param = paramOf(url);
      // `mailto:`, `javascript:` and the like would break.
      if (!number || !url.protocol.startsWith('http')) return link;
      // At Stripe the shop may have a reference of its own.
      if (param === STRIPE_PARAM && url.searchParams.has(param)) return link;
      url.searchParams.set(param, number);
      return url.href;
    }) ?? link;

  /**
   * Before the page’s own listeners and the browser act. Nothing has to be watched this way, whatever the page adds later;
   * and afterwards the link is as it was.
   */
  const onUse = (event: Event): void => {
    fill();
    attempt(() => {
      const link = event.composedPath().find((element) => element instanceof HTMLAnchorElement);
      if (!link?.href || (!link.matches(links) && paramOf(new URL(link.href)) !== STRIPE_PARAM)) return;
      const written = link.getAttribute('href') as string;
      const decorated = decorate(link.href);
      if (decorated === link.href) return;
      link.href = decorated;
      setTimeout(() => link.href === decorated && link.setAttribute('href', written));
    });
  };

  const listen = (): void => {
    for (const type of ['click', 'auxclick', 'contextmenu', 'submit']) addEventListener(type, onUse, true);
    fill();
    // The script may run before the page is all there.
    document.addEventListener('DOMContentLoaded', fill);
  };

  return { decorate, fill, listen };
}
