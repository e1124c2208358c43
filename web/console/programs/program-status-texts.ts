/** Texts of the status changes of a program. */
export const programStatus = {
  activate: 'Activate',
  deactivate: 'Deactivate',
  delete: 'Delete',
  activateTitle: (name: string) => `Activate “${name}”?`,
  activateHelp:
    'From now on clicks and coupons touch it, and it pays for sales. What came in while it was not active stays unpaid.',
  deactivateTitle: (name: string) => `Deactivate “${name}”?`,
  deactivateHelp:
    'From now on nothing touches it and it pays for no sale. What was earned is approved and paid as before. You can activate it again.',
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteHelp:
    'It pays nothing from now on, and can’t come back. What was earned is approved and paid as before; its versions and explanations stay.',
  deleteConfirm: 'Delete program',
  activated: 'It is active now',
  deactivated: 'It is switched off now',
  deleted: 'It is deleted',
};
