import { useEffect, useSyncExternalStore } from 'react';
import { onDemand } from './on-demand.ts';

const words = onDemand(() => import('./problem-texts.ts'));

/** Returns advice for an error code, or undefined if there is none or its text can't be loaded. */
export function helpFor(code: string | undefined): string | undefined {
  return words.state().part?.problemHelp[code ?? ''];
}

/** Returns the same advice as soon as its text has loaded. */
export function useHelpFor(code: string | undefined): string | undefined {
  useEffect(() => void words.load(), []);
  return useSyncExternalStore(words.subscribe, () => helpFor(code));
}
