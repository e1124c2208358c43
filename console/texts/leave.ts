/** Before what was changed is left behind. */
export const leave = {
  title: 'Leave without saving?',
  help: 'What you have changed here is lost.',
  confirm: 'Leave',
  stay: 'Stay here',
};
