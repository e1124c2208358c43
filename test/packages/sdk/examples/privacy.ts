import type { Examples } from '../example.ts';

export const privacy: Examples = {
  async exportVisitor({ whence, collaboratorId }) {
    await whence.report.visit({ collaboratorId, userId: 42 });
    const { opportunities, journeys } = await whence.visitors.export({ userId: 42 });
    console.log(opportunities.length, journeys[0]?.steps[0]?.kind); // 1 visit
  },

  async eraseVisitor({ whence, collaboratorId }) {
    await whence.report.visit({ collaboratorId, userId: 42 });
    const { removedVisits, closedOpportunities } = await whence.visitors.erase({ userId: 42 });
    console.log(removedVisits, closedOpportunities); // 1 0
  },

  async exportCollaborator({ whence, collaboratorId }) {
    const { collaborator, codes } = await whence.collaborators.export(collaboratorId);
    console.log(collaborator.name, codes.length); // Ada Lovelace 2
  },

  async eraseCollaborator({ whence, collaboratorId }) {
    const { name, status } = await whence.collaborators.erase({ collaboratorId });
    console.log(name, status); // Erased deleted
  },
};
