/** Fallbacks for names that could not be loaded. */
export const names = {
  unnamed: {
    collaborators: (id: number) => `Collaborator ${id}`,
    programs: (id: number) => `Program ${id}`,
    transactions: (id: number) => `Sale ${id}`,
  },
};
