import { object } from '#core/contract/fields.ts';
import { operation } from '#core/contract/operation.ts';
import { couponCode, occurredAt, opportunityHeader, trackingId } from './report-fields.ts';

export const reportCouponApplied = operation({
  method: 'POST',
  path: '/v1/event/coupon-applied',
  tag: 'Events',
  summary: 'Report that a coupon was applied',
  description:
    'A visitor has entered the coupon of a collaborator, who has the code as an alias of the type `coupon`. It touches ' +
    'engagements as a visit does, in the programs that have the trigger `coupon-applied` on. On an opportunity that is ' +
    'invalid or was removed it is without effect.',
  scope: 'events:write',
  keys: ['secret'],
  tier: 'essentials',
  body: object({ trackingId, code: couponCode, occurredAt }),
  repeats: 'event-row',
  success: {
    status: 200,
    description: 'It is recorded, durably.',
    serviceHeaders: opportunityHeader('The opportunity.'),
  },
  problems: ['tier-required'],
});
