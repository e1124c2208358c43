import { COUPON_APPLIED, SITE_VISIT } from './visit.ts';

/** What programs and reports call a custom event. */
export const SLUG_PATTERN = /^[a-z][a-z0-9-]{0,63}$/;

const COMMON_TRIGGERS: ReadonlySet<string> = new Set([SITE_VISIT, COUPON_APPLIED]);

/** The triggers that every organization has: no custom event can take their names. */
export function isCommonTrigger(trigger: string): boolean {
  return COMMON_TRIGGERS.has(trigger);
}
