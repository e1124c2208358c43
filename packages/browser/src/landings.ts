import { attempt } from './attempt.ts';
import type { Kept } from './keeping.ts';

/** A collaborator’s code that somebody came with, and the key under which it is reported, until it has been. */
export type Landing = readonly [ref: string, key?: string];

export type Landings = {
  readonly notice: (ref: string | null, isFresh: boolean) => void;
  /** The first that has not been reported. */
  readonly waiting: () => Landing | undefined;
  readonly reported: (landing: Landing) => void;
  /** So that the next page of this tab goes on where this one stops. */
  readonly keep: () => void;
  /** Deletes what is kept. Where it stays known, this page does not report its own address again. */
  readonly forget: (isStillKnown: boolean) => void;
};

/** More would be somebody trying out codes. */
const REMEMBERED = 20;

/**
 * The landings of this tab. A page that is loaded from elsewhere with a code is one. Reloading, going back, links within
 * the site and navigation without loading are one only with a code that this tab has not seen.
 */
export function landings(kept: Kept): Landings {
  const parsed = attempt(() => (JSON.parse(kept.read('landings') ?? '[]') as Landing[]).filter(Array.isArray));
  let all: readonly Landing[] = parsed ?? [];
  return {
    notice: (ref, isFresh) => {
      if (ref && (isFresh || !all.some(([known]) => known === ref))) all = [...all, [ref, newKey()]];
    },
    waiting: () => all.find(([, key]) => key),
    reported: (landing) => {
      all = all.map((each) => (each === landing ? [landing[0]] : each));
    },
    keep: () => {
      if (all[0]) kept.write('landings', JSON.stringify(all.slice(-REMEMBERED)));
    },
    forget: (isStillKnown) => {
      all = isStillKnown ? all.map(([ref]) => [ref]) : [];
      kept.write('landings');
    },
  };
}

/** 128 bits; `crypto.randomUUID` is there on secure pages alone. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(36)).join('-');
}
