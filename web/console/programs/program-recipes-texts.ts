/** Texts of the page for a new program, which offers recipes. */
export const programRecipes = {
  title: 'New program',
  description: 'Begin with what comes closest. Everything can be changed before it is saved.',
  blank: 'Blank',
  blankHelp: 'Ten percent for whoever referred last. The rest is up to you.',
  use: (title: string) => `Use ${title}`,
  several: (count: number) => `${count} programs in a group`,
  event: 'Listens to an event of yours',
  setTitle: 'What this makes',
  setHelp: (count: number) => `${count} programs. Each can be changed later.`,
  group: (count: number, name: string) =>
    `${count} programs, and the group “${name}”, so that only one of them pays for a sale. Each can be changed later.`,
  create: (count: number) => `Create ${count} programs`,
  created: (count: number) => `${count} programs were created`,
  back: 'Choose another',
};
