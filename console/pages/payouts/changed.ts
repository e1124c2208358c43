/** What a mark, a run and a review change. */
export const CHANGED = ['payouts', 'fulfillments', 'obligations', 'conversions', 'owed', 'balances'];
