export const leave = {
  title: 'Leave without saving?',
  help: 'Your changes on this page will be lost.',
  confirm: 'Leave',
  stay: 'Stay here',
};
