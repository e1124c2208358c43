-- Orders without a referral: `trackingId` was null. `reported_opportunity_id` stays null; `opportunity_id` is that of the
-- order's coupon or user, if there is one. `opportunity_state` is then `active`, so that a process of an earlier release
-- that decides such an order finds no claims and says so.
alter table transactions alter opportunity_id drop not null, alter reported_opportunity_id drop not null;
alter table events alter opportunity_id drop not null;
-- A credit on such an order has no opportunity either.
alter table conversions alter opportunity_id drop not null;
