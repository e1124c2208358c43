import { attempt } from './attempt.ts';
import type { VisitorStore } from './visitor-store.ts';

/**
 * The referral code of a visited link, and the idempotency key for reporting the visit. The key is removed once the
 * visit is recorded, permanently refused or discarded.
 */
export type Landing = readonly [ref: string, key?: string];

export type Landings = {
  /**
   * Adds a landing if it has a referral code and counts (see `openLandings`). `key` identifies the visit if a short
   * link has already reported it.
   */
  readonly notice: (ref: string | null, isFresh: boolean, key: string | undefined) => void;
  /** Returns the first landing that hasn't been reported, or undefined if all have been reported. */
  readonly waiting: () => Landing | undefined;
  readonly reported: (landing: Landing) => void;
  /** Saves the landings, so that the next page in this tab can report the remaining visits. */
  readonly keep: () => void;
  /**
   * Deletes the stored landings and discards unreported visits. If `isStillKnown` is true, this page remembers the
   * referral codes, so that it doesn't report its own address again.
   */
  readonly forget: (isStillKnown: boolean) => void;
};

/** The maximum number of stored landings. If a tab has more referral codes, someone is probably guessing codes. */
const REMEMBERED = 20;

/**
 * Returns an object that tracks the landings of this tab. A landing is the arrival at an address with a referral code.
 * A fresh page load always counts (see `isFreshLoad`). A reload, back or forward navigation, a link from the same
 * origin or an address change without a load counts only if its code is new to this tab.
 */
export function openLandings(store: VisitorStore): Landings {
  const parsed = attempt(() => (JSON.parse(store.read('landings') ?? '[]') as Landing[]).filter(Array.isArray));
  let all: readonly Landing[] = parsed ?? [];
  return {
    notice: (ref, isFresh, key = newKey()) => {
      if (ref && (isFresh || !all.some(([known]) => known === ref))) all = [...all, [ref, key]];
    },
    waiting: () => all.find(([, key]) => key),
    reported: (landing) => {
      all = all.map((each) => (each === landing ? [landing[0]] : each));
    },
    keep: () => {
      if (all[0]) store.write('landings', JSON.stringify(all.slice(-REMEMBERED)));
    },
    forget: (isStillKnown) => {
      all = isStillKnown ? all.map(([ref]) => [ref]) : [];
      store.write('landings');
    },
  };
}

/** Returns 128 random bits as text. `crypto.randomUUID` exists only on secure pages. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(36)).join('-');
}
