/** The query keys that marks, runs and reviews invalidate. */
export const CHANGED = ['payouts', 'fulfillments', 'obligations', 'conversions', 'owed', 'balances'];
