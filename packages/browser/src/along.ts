import { attempt } from './attempt.ts';
import type { Settings } from './options.ts';

const STRIPE = /^(buy|book|donate)\.stripe\.com$/;
const STRIPE_PARAM = 'client_reference_id';

/**
 * Returns functions that pass the tracking id to the checkout. `decorate` adds the tracking id to a link, and `fill`
 * writes it into form fields. `listen` keeps the form fields filled. When a visitor uses a link that the settings
 * select, `listen` adds the tracking id to it.
 */
export function along({ links, linkParam, fields, stripe }: Settings, id: () => string | undefined) {
  let filled: string | undefined;

  /**
   * Writes the tracking id into the form fields. If there is no tracking id, clears the fields that still contain the
   * previous tracking id.
   */
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
      // A parameter would break links such as `mailto:` and `javascript:`.
      if (!number || !url.protocol.startsWith('http')) return link;
      // Keep a Stripe reference that the shop has set itself.
      if (param === STRIPE_PARAM && url.searchParams.has(param)) return link;
      url.searchParams.set(param, number);
      return url.href;
    }) ?? link;

  /**
   * Adds the tracking id to the form fields, and to the link that the visitor uses if the settings select it. Runs in
   * the capture phase, so before most of the page’s listeners and before the browser follows the link. Restores the
   * link afterwards. Also works for links and fields that the page adds later.
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
    // The script may run before the page is fully parsed, so fill the remaining fields later.
    document.addEventListener('DOMContentLoaded', fill);
  };

  return { decorate, fill, listen };
}
