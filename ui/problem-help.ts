import { useEffect, useSyncExternalStore } from 'react';
import { onDemand } from './on-demand.ts';

const words = onDemand(() => import('./problem-texts.ts'));

/** What helps where a code has said what is wrong; undefined where nothing is known, or its words can’t be had. */
export function helpFor(code: string | undefined): string | undefined {
  return words.state().part?.problemHelp[code ?? ''];
}

/** The same, as soon as its words have come. */
export function useHelpFor(code: string | undefined): string | undefined {
  useEffect(() => void words.load(), []);
  return useSyncExternalStore(words.subscribe, () => helpFor(code));
}
