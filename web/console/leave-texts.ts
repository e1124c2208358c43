/** Texts of the warning about unsaved changes. */
export const leave = {
  title: 'Leave without saving?',
  help: 'What you have changed here is lost.',
  confirm: 'Leave',
  stay: 'Stay here',
};
