import { type Answer, answer } from './handler.ts';

/** What a call over many is answered: for each what came of it and, where there is such a thing, its status now. */
export function answerOutcomes<Kind extends string>(
  outcomes: ReadonlyMap<number, { readonly kind: Kind; readonly status?: string; readonly was?: string }>,
  shown: Readonly<Record<Kind, string>>,
): Answer {
  const rows = [...outcomes].map(([id, { kind, status }]) => ({ id, outcome: shown[kind], status }));
  const before = [...outcomes].flatMap(([id, { was }]) => (was === undefined ? [] : [{ id, status: was }]));
  return { ...answer(200, rows), before };
}

/** How the outcomes of a change of status are shown. */
export const CHANGE_OUTCOMES = {
  changed: 'changed',
  unchanged: 'unchanged',
  forbidden: 'invalid-transition',
  unknown: 'not-found',
} as const;
