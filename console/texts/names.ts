/** What has a name that could not be read. */
export const names = {
  unnamed: {
    collaborators: (id: number) => `Collaborator ${id}`,
    programs: (id: number) => `Program ${id}`,
    transactions: (id: number) => `Sale ${id}`,
  },
};
