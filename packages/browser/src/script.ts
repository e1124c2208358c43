import { attempt } from './attempt.ts';
import { createWhence, type Whence, type WhenceOptions } from './whence.ts';

type Command = (whence: Whence) => void;

/**
 * The queue of commands in `window.whence`. Before this file loads, the page may create `window.whence` as an array of
 * commands, so `push` works at any time.
 */
type Waiting = { readonly push: (command: Command) => void };

declare global {
  interface Window {
    whence?: (Whence & Waiting) | Command[];
  }
}

// Read only the window's own property, because `window.whence` also returns an element with the id `whence`.
const held = Object.getOwnPropertyDescriptor(window, 'whence')?.value as Window['whence'];
// If the tag is on the page twice, start only once.
if (!held || Array.isArray(held)) {
  const whence = Object.assign(createWhence(optionsOf(document.currentScript as HTMLScriptElement | null)), {
    push: (command: Command) => attempt(() => command(whence)),
  });
  window.whence = whence;
  held?.forEach(whence.push);
}

/**
 * Reads the options from the tag’s attributes: `data-link-param` is `linkParam`. By default, the service URL is the
 * folder of this file.
 */
function optionsOf(tag: HTMLScriptElement | null): WhenceOptions {
  const { days, stripe, adopt, ...texts } = Object.fromEntries(Object.entries(tag?.dataset ?? {}));
  const from = attempt(() => new URL('.', tag?.src).href);
  return {
    ...({ url: from, ...texts } as unknown as WhenceOptions),
    ...(days && { days: Number(days) }),
    stripe: isSet(stripe),
    adopt: isSet(adopt),
  };
}

function isSet(attribute = 'false'): boolean {
  return attribute !== 'false';
}
