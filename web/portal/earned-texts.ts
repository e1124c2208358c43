export const earned = {
  types: { sale: 'Sale', lead: 'Lead', renewal: 'Renewal', manual: 'Bonus' },
  paid: 'Paid',
  statuses: { pending: 'Waiting', approved: 'Approved', rejected: 'Not paid' },
};
