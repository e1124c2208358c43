import type * as contract from '../contract/collaborator.ts';
import type { ShownReminderOutcome } from '../contract/collaborator.ts';
import { type Problem, problem } from '#core/contract/problem.ts';
import { type CollaboratorChangeOutcome, changeCollaborator } from '../commands/change-collaborator.ts';
import { createCollaborator } from '../commands/create-collaborator.ts';
import { inviteCollaborator } from '../commands/invite-collaborator.ts';
import { type ReminderOutcome, remindPayoutDetails } from '../commands/remind-payout-details.ts';
import { moveCollaborators } from '../commands/move-collaborators.ts';
import { type CollaboratorStatus, NEXT_COLLABORATOR_STATUSES } from '../domain/collaborator.ts';
import { collaborators } from '../store/read/collaborators.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { aliasTaken } from './alias-taken.ts';
import { callerName } from '#access/routes/caller-name.ts';
import { type Answer, answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerOutcomes, CHANGE_OUTCOMES } from '#platform/http/outcomes.ts';
import { answerPage } from '#platform/http/pages.ts';
import { type Site, throttledProblem } from '#access/routes/session-answers.ts';
import { userFilter } from './user-filter.ts';

export function collaboratorHandlers({ secrets, publicUrl }: Site): HandlersFor<typeof contract> {
  const emailContext = () => ({ secrets, publicUrl: publicUrl() });
  return {
    listCollaborators: async (request) => {
      const { tag } = request.query.filters;
      const users = await userFilter(request.tenant.connection, request);
      return answerPage(request, collaborators, {
        within: tag === undefined ? users : { ...users, tag: tag.trim().toLowerCase() },
      });
    },

    createCollaborator: async ({ tenant, body: { name, status, fraudReview, aliases, ...given } }) => {
      const { email = null, nickname = null, userId = null, tags = [] } = given;
      const fields = { name, email, nickname, status, userId, tags, fraudReview };
      const creation = await createCollaborator(tenant, fields, aliases ?? []);
      if (creation.kind === 'created') return answer(201, creation.collaborator);
      return aliasTaken(creation.codes.map(({ index, by }) => ({ pointer: `/aliases/${index}/code`, by })));
    },

    getCollaborator: async ({ tenant, params: { id } }) => answerFound(await readOne(tenant, collaborators, { id })),

    changeCollaborator: async ({ tenant, params: { id }, body }) =>
      answerChange(await changeCollaborator(tenant, emailContext(), id, body)),

    deleteCollaborator: async ({ tenant, params: { id } }) =>
      answerChange(await changeCollaborator(tenant, emailContext(), id, { status: 'deleted' })),

    inviteCollaborator: async ({ auth, tenant, params: { id } }) => {
      const invitedBy = await callerName(tenant.connection, auth);
      const inviting = await inviteCollaborator(tenant, emailContext(), id, invitedBy);
      switch (inviting.kind) {
        case 'invited':
          return answerFound(await readOne(tenant, collaborators, { id }));
        case 'unknown':
          return problem('not-found');
        case 'kept-out':
          return problem(
            'invalid-transition',
            `Only active and pending collaborators can log in to the portal. This collaborator is ${inviting.status}. You can activate inactive collaborators, but not rejected or deleted collaborators.`,
          );
        case 'no-address':
          return problem('invalid-transition', 'The collaborator has no email address. Add an email address first.');
        case 'no-portal':
          return NO_PORTAL;
        case 'throttled':
          return throttledProblem(inviting);
        default:
          return inviting satisfies never;
      }
    },

    remindPayoutDetails: async ({ tenant, body: { ids } }) => {
      const reminders = await remindPayoutDetails(tenant, emailContext(), ids);
      if (reminders.kind === 'no-portal') return NO_PORTAL;
      return answerOutcomes(reminders.outcomes, REMINDER_OUTCOMES);
    },

    moveCollaborators: async ({ tenant, body: { action, ids, rejectionReason = null } }) => {
      const outcomes = await moveCollaborators(tenant, emailContext(), ids, { action, rejectionReason });
      return answerOutcomes(outcomes, CHANGE_OUTCOMES);
    },
  };
}

const NO_PORTAL = problem(
  'invalid-transition',
  'The portal is closed. Set its slug and the landing page of its links first.',
);

const REMINDER_OUTCOMES: Readonly<Record<ReminderOutcome, ShownReminderOutcome>> = {
  reminded: 'reminded',
  'has-details': 'has-details',
  unreachable: 'unreachable',
  throttled: 'rate-limited',
  unknown: 'not-found',
};

function answerChange(changing: CollaboratorChangeOutcome): Answer | Problem {
  return answerOutcome(changing, {
    changed: ({ collaborator }) => answer(200, collaborator),
    unknown: problem('not-found'),
    forbidden: ({ from, to }) => problem('invalid-transition', forbiddenText(from, to)),
    throttled: throttledProblem,
  });
}

function forbiddenText(from: CollaboratorStatus, to: CollaboratorStatus): string {
  if (from === 'deleted') return 'A deleted collaborator can’t be changed. Create a new collaborator.';
  // A change of the status can't delete the collaborator.
  const next = NEXT_COLLABORATOR_STATUSES[from].filter((status) => status !== 'deleted');
  const advice = next.length === 0 ? 'The collaborator can only be deleted.' : `Choose ${next.join(' or ')}.`;
  return `The status can’t change from ${from} to ${to}. ${advice}`;
}
