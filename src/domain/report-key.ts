import { hash } from 'node:crypto';
import type { KeyKind } from './api-key.ts';
import type { OpportunityId } from './ids.ts';

/** The Idempotency-Key of a report, and what was reported under it: hashes, 32 hexadecimal digits each. */
export type ReportKey = { readonly key: string; readonly request: string };

/** What was recorded under a key. */
export type KeptReport = { readonly request: string; readonly opportunityId: OpportunityId };

/** How long an Idempotency-Key is good for at least: a report’s, and any other call’s. */
export const IDEMPOTENCY_KEY_HOURS = 24;

/**
 * The key as it is kept. Browsers have keys of their own, apart from those of servers: whoever reads a publishable key in
 * a page must not learn an opportunity by guessing what a server calls its requests. `request` is what was meant: parsed,
 * so that order and blanks of its JSON don't count.
 */
export function reportKey(sender: KeyKind, key: string, operation: string, request: unknown): ReportKey {
  return { key: digest([sender, key]), request: digest([operation, request]) };
}

/** Of a report whose key was used before: recorded, as the first time, or another request. */
export function repeatOf(
  { request }: ReportKey,
  kept: KeptReport,
): { readonly kind: 'recorded'; readonly opportunityId: OpportunityId } | { readonly kind: 'other-request' } {
  if (request !== kept.request) return { kind: 'other-request' };
  return { kind: 'recorded', opportunityId: kept.opportunityId };
}

/** 128 bits: enough that no two meet, and half the room. */
function digest(content: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(content)).slice(0, 32);
}
