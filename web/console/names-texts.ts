/** Placeholders for names that could not be loaded. */
export const names = {
  unnamed: {
    collaborators: (id: number) => `Partner ${id}`,
    programs: (id: number) => `Program ${id}`,
    transactions: (id: number) => `Sale ${id}`,
  },
};
