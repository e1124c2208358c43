/** The texts that are shown instead of unknown names. */
export const names = {
  unnamed: {
    collaborators: (id: number) => `Partner ${id}`,
    programs: (id: number) => `Program ${id}`,
    transactions: (id: number) => `Sale ${id}`,
  },
};
