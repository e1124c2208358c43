export const programRecipes = {
  title: 'New program',
  description: 'Start from the closest recipe. You can change everything before you save it.',
  blank: 'Blank',
  blankHelp: 'Ten percent for the last referrer. The rest is up to you.',
  use: (title: string) => `Use ${title}`,
  several: (count: number) => `${count} programs in a group`,
  event: 'Uses a custom event',
  setTitle: 'What this creates',
  setHelp: (count: number) => `${count} programs. Each can be changed later.`,
  group: (count: number, name: string) =>
    `${count} programs, and the group “${name}”, so that only one of them pays for a sale. Each can be changed later.`,
  create: (count: number) => `Create ${count} programs`,
  created: (count: number) => `${count} programs were created`,
  back: 'Choose another recipe',
};
