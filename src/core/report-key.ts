import { hash } from 'node:crypto';
import type { OpportunityId } from './ids.ts';
import type { KeyKind } from './caller.ts';

/** The Idempotency-Key and the content of a report, as hashes of 32 hexadecimal digits each. */
export type ReportKey = { readonly key: string; readonly request: string };

/** The report that is stored under an Idempotency-Key: the hash of its content, and its opportunity. */
export type KeptReport = { readonly request: string; readonly opportunityId: OpportunityId };

/**
 * The minimum time for which an Idempotency-Key is recognized, in hours. It applies to reports and to all other calls.
 */
export const IDEMPOTENCY_KEY_HOURS = 24;

/**
 * Returns the hashes of an Idempotency-Key and of its report, as they are stored. The same Idempotency-Key has
 * different hashes for a publishable and a secret API key. Otherwise, an attacker with a publishable key could guess
 * the Idempotency-Key of a server's request and learn its opportunity.
 *
 * `request` is the parsed request, so that white space and the order of fields in its JSON don't matter.
 */
export function hashReportKey(sender: KeyKind, key: string, operation: string, request: unknown): ReportKey {
  return { key: digest([sender, key]), request: digest([operation, request]) };
}

/**
 * Compares a report with the report that was recorded under the same key. Returns `recorded` with the opportunity of
 * the earlier report, or `other-request` if the contents differ.
 */
export function repeatOf(
  { request }: ReportKey,
  kept: KeptReport,
): { readonly kind: 'recorded'; readonly opportunityId: OpportunityId } | { readonly kind: 'other-request' } {
  if (request !== kept.request) return { kind: 'other-request' };
  return { kind: 'recorded', opportunityId: kept.opportunityId };
}

/** Returns a hash of 128 bits, which is long enough to avoid collisions and takes half the space of SHA-256. */
function digest(content: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(content)).slice(0, 32);
}
