/**
 * The rows of a table that are a collaborator's, to be counted: an index by collaborator doesn't name the organization, which
 * is the collaborator's. Of the table `t` those that `condition` leaves.
 */
export function countOfCollaborator(table: string, condition = 'true'): Readonly<Record<'collaboratorId', string>> {
  return {
    collaboratorId: `
      select k.organization_id, t.id, t.collaborator_id as "collaboratorId"
      from collaborators k join ${table} t on t.collaborator_id = k.id where ${condition}`,
  };
}
