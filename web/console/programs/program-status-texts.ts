export const programStatus = {
  activate: 'Activate',
  deactivate: 'Deactivate',
  delete: 'Delete',
  activateTitle: (name: string) => `Activate “${name}”?`,
  activateHelp:
    'From now on, clicks and coupons count, and the program pays for sales. Events before the activation stay unpaid.',
  deactivateTitle: (name: string) => `Deactivate “${name}”?`,
  deactivateHelp:
    'Clicks and coupons no longer count, and new sales are not paid. Earlier earnings are still approved and paid. You can activate it again.',
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteHelp:
    'The program pays nothing new, and you can’t restore it. Earlier earnings are still approved and paid. Versions and explanations stay.',
  deleteConfirm: 'Delete program',
  activated: 'The program is active',
  deactivated: 'The program is inactive',
  deleted: 'The program is deleted',
};
