import { attempt } from './attempt.ts';
import { createWhence, type Whence, type WhenceOptions } from './whence.ts';

type Command = (whence: Whence) => void;

/** What the page may have put into its place before this file was there, and afterwards puts in all the same. */
type Waiting = { readonly push: (command: Command) => void };

declare global {
  interface Window {
    whence?: (Whence & Waiting) | Command[];
  }
}

// Its own: an element with this id is to be found under the name too.
const held = Object.getOwnPropertyDescriptor(window, 'whence')?.value as Window['whence'];
// A tag that is there twice begins once.
if (!held || Array.isArray(held)) {
  const whence = Object.assign(createWhence(optionsOf(document.currentScript as HTMLScriptElement | null)), {
    push: (command: Command) => attempt(() => command(whence)),
  });
  window.whence = whence;
  held?.forEach(whence.push);
}

/** The tag’s attributes: `data-link-param` is `linkParam`. The service is where the tag has this file from. */
function optionsOf(tag: HTMLScriptElement | null): WhenceOptions {
  const { days, stripe, ...texts } = Object.fromEntries(Object.entries(tag?.dataset ?? {}));
  const from = attempt(() => new URL('.', tag?.src).href);
  return {
    ...({ url: from, ...texts } as unknown as WhenceOptions),
    ...(days && { days: Number(days) }),
    stripe: (stripe ?? 'false') !== 'false',
  };
}
