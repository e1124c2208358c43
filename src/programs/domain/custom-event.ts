import type { Trigger } from './program.ts';

/** The triggers that every organization has. All other triggers are slugs of its custom events. */
export const SITE_VISIT: Trigger = 'site-visit';

export const COUPON_APPLIED: Trigger = 'coupon-applied';

/** The pattern of a custom event's slug, which is its name in programs and reports. */
export const SLUG_PATTERN = /^[a-z][a-z0-9-]{0,63}$/;

/**
 * The last path segments of the built-in reports. A custom event with such a slug could never be reported, because
 * `POST /v1/event/{slug}` calls the built-in report.
 */
export const BUILT_IN_REPORTS = [
  'site-visited',
  'coupon-applied',
  'custom',
  'sale',
  'lead',
  'renewal',
  'refund',
  'refund-reversal',
  'sale-correction',
] as const;

const COMMON_TRIGGERS: ReadonlySet<string> = new Set([SITE_VISIT, COUPON_APPLIED]);

/** Returns whether every organization has this trigger. */
export function isCommonTrigger(trigger: string): boolean {
  return COMMON_TRIGGERS.has(trigger);
}

/** Returns whether a slug is reserved for a built-in trigger or report. */
export function isReservedSlug(slug: string): boolean {
  return isCommonTrigger(slug) || (BUILT_IN_REPORTS as readonly string[]).includes(slug);
}
