import type * as collaboratorDataContract from '../contract/collaborator-data.ts';
import type * as visitorContract from '../contract/visitor.ts';
import { problem } from '#core/contract/problem.ts';
import { type ErasureOutcome, eraseCollaborator } from '../commands/erase-collaborator.ts';
import { eraseVisitor } from '../commands/erase-visitor.ts';
import { exportCollaborator } from '../commands/export-collaborator.ts';
import { exportVisitor } from '../commands/export-visitor.ts';
import { showOpportunities } from '#core/shown-numbers.ts';
import { answer, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import type { Site } from '#access/routes/session-answers.ts';
import { answerLongJson } from '#platform/http/streams.ts';
import { showJourney } from '#reporting/routes/journeys.ts';

/** Returns the handlers of calls that export or erase personal data. */
export function privacyHandlers({
  secrets,
}: Pick<Site, 'secrets'>): HandlersFor<typeof collaboratorDataContract & typeof visitorContract> {
  return {
    exportVisitor: async ({ auth, tenant, body: { userId } }) => {
      const { exported, close } = await exportVisitor(tenant.connection, auth, userId);
      const { opportunities, journeys, ...found } = exported;
      const shown = {
        userId,
        ...found,
        opportunities: showOpportunities(auth.opportunityNumbers, opportunities),
        journeys: journeys.map((read) => async () => {
          const { members, ...journey } = await read();
          return showJourney(auth.opportunityNumbers, members, journey);
        }),
      };
      return answerLongJson(shown, close);
    },

    eraseVisitor: async ({ auth, tenant, body: { userId } }) =>
      answer(200, await eraseVisitor(tenant.connection, auth, userId)),

    exportCollaborator: async ({ auth, tenant, params: { id } }) => {
      const opened = await exportCollaborator(tenant.connection, secrets, auth, id);
      return opened === undefined ? problem('not-found') : answerLongJson(opened.exported, opened.close);
    },

    eraseCollaborator: async ({ auth, tenant, body: { collaboratorId } }) =>
      answerErasing(await eraseCollaborator(tenant.connection, auth, collaboratorId)),
  };
}

function answerErasing(erasing: ErasureOutcome) {
  return answerOutcome(erasing, {
    erased: ({ collaborator }) => answer(200, collaborator),
    unknown: problem('not-found'),
    owed: problem(
      'still-owed',
      'The collaborator has open obligations or an unpaid payout. Clawbacks count too. Approve or reject their pending conversions, and pay their approved conversions and unpaid payouts. Then retry.',
    ),
  });
}
