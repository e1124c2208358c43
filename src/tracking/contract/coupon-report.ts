import { object } from '#core/contract/fields.ts';
import { operation } from '#core/contract/operation.ts';
import { couponCode, occurredAt, opportunityHeader, trackingId } from './report-fields.ts';

export const reportCouponApplied = operation({
  method: 'POST',
  path: '/v1/event/coupon-applied',
  tag: 'Events',
  summary: 'Report a coupon',
  description:
    'Reports that a visitor entered a coupon: a code that a collaborator has as an alias of the type `coupon`. ' +
    'Like a visit, a coupon creates or updates engagements, in programs with the trigger `coupon-applied`. It has no ' +
    'effect on an opportunity that is invalid or was removed.',
  scope: 'events:write',
  tier: 'essentials',
  body: object({ trackingId, code: couponCode, occurredAt }),
  repeats: 'event-row',
  success: { description: 'The report is durably recorded.', serviceHeaders: opportunityHeader('The opportunity.') },
  problems: ['tier-required'],
});
