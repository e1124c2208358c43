/** The query keys that payout changes invalidate. */
export const CHANGED = ['payouts', 'fulfillments', 'obligations', 'conversions', 'owed', 'balances'];
