/**
 * Returns a query for counting a collaborator's rows of `table` that satisfy `condition`, in which `t` is the row. The
 * index by collaborator doesn't contain the organization, so that comes from the collaborator.
 */
export function countOfCollaborator(table: string, condition = 'true'): Readonly<Record<'collaboratorId', string>> {
  return {
    collaboratorId: `
      select k.organization_id, t.id, t.collaborator_id as "collaboratorId"
      from collaborators k join ${table} t on t.collaborator_id = k.id where ${condition}`,
  };
}
