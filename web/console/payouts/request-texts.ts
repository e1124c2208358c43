export const requests = {
  tab: 'Requests',
  amount: 'Ready to pay',
  requested: 'Requested',
  row: (id: number) => `request ${id}`,
  pay: 'Create payout run',
  nothing: 'These requests have no amount that is ready to pay now',
  empty: 'No payout requests',
  emptyHelp: 'Partners can request payouts in the portal if you allow it in Settings › Payouts.',

  settings: {
    title: 'Payout requests',
    help: 'Partners can request a payout in the portal. Requests are listed under Payouts. Nothing is paid automatically.',
    allow: 'Allow payout requests',
    minimum: 'Minimum',
    minimumHelp: 'The same number applies in every currency.',
    save: 'Save',
    saved: 'The payout settings are saved',
  },
};
