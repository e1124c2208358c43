/** The texts of the command menu. They load with the menu. */
export const commandMenu = {
  title: 'Search or go to',
  placeholder: 'Search or go to…',
  nothing: 'No results',
  searching: 'Searching…',
};
