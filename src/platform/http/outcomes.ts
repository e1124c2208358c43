import { type Answer, answer } from './handler.ts';

/**
 * Returns the response of a bulk call: the outcome of each item, and its current status, if any. Adds the previous
 * statuses for the audit log.
 */
export function answerOutcomes<Kind extends string>(
  outcomes: ReadonlyMap<number, { readonly kind: Kind; readonly status?: string; readonly was?: string }>,
  shown: Readonly<Record<Kind, string>>,
): Answer {
  const rows = [...outcomes].map(([id, { kind, status }]) => ({ id, outcome: shown[kind], status }));
  const before = [...outcomes].flatMap(([id, { was }]) => (was === undefined ? [] : [{ id, status: was }]));
  return { ...answer(200, rows), before };
}

/** The name in responses for each outcome of a status change. */
export const CHANGE_OUTCOMES = {
  changed: 'changed',
  unchanged: 'unchanged',
  forbidden: 'invalid-transition',
  unknown: 'not-found',
} as const;
