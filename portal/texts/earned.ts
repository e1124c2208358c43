/** What a conversion was for, and where it stands, as their owner is told. */
export const earned = {
  types: { sale: 'Sale', lead: 'Lead', renewal: 'Renewal', manual: 'Bonus' },
  statuses: { pending: 'Waiting', approved: 'Approved', rejected: 'Not paid' },
};
