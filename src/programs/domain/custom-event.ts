import type { Trigger } from './program.ts';

/** The trigger for site visits. Every organization has it. */
export const SITE_VISIT: Trigger = 'site-visit';

/** The trigger for applied coupons. Every organization has it. All other triggers are slugs of custom events. */
export const COUPON_APPLIED: Trigger = 'coupon-applied';

/** The pattern of a custom event's slug, which is its name in programs and reports. */
export const SLUG_PATTERN = /^[a-z][a-z0-9-]{0,63}$/;

/**
 * The last path segments of the built-in reports. A custom event can't have such a slug, because its path
 * `/v1/event/{slug}` would belong to the built-in report.
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

/** Returns whether every organization has the trigger. */
export function isCommonTrigger(trigger: string): boolean {
  return COMMON_TRIGGERS.has(trigger);
}

/** Returns whether a slug is reserved for a built-in trigger or report. */
export function isReservedSlug(slug: string): boolean {
  return isCommonTrigger(slug) || (BUILT_IN_REPORTS as readonly string[]).includes(slug);
}
