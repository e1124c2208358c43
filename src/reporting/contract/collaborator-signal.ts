import { COLLABORATOR_SIGNALS, COMPARED_DAYS, ENOUGH_SALES, ENOUGH_VISITS } from '../domain/collaborator-signal.ts';
import { z } from 'zod';
import { operation } from '#core/contract/operation.ts';
import { shownChoice, shownId, shownNumber, shownText } from '#core/contract/response-fields.ts';

const collaboratorSignal = z
  .strictObject({
    collaboratorId: shownId({ description: 'The collaborator’s id.', example: 7 }),
    collaboratorName: shownText({ description: 'The collaborator’s name.', example: 'Ada' }),
    programId: shownId({ description: 'The program with the limit.', example: 5 }),
    programName: shownText({ description: 'The program’s name.', example: 'Affiliates' }),
    reason: shownChoice(COLLABORATOR_SIGNALS, {
      description: 'The result, or the number of sign-ups, that is beyond its limit.',
    }),
    value: shownNumber({
      description: 'The result in percent, or the number of collaborators who applied from one network.',
      example: 42.5,
    }),
    limit: shownNumber({ description: 'The limit of the program.', example: 30 }),
    collaborators: z
      .array(
        z.strictObject({
          id: shownId({ description: 'The collaborator’s id.', example: 8 }),
          name: shownText({ description: 'The collaborator’s name.', example: 'Ben' }),
        }),
      )
      .meta({
        description:
          'For `sign-ups-from-network`: the other collaborators who applied from the network, at most 20. Otherwise empty.',
      }),
  })
  .meta({
    id: 'CollaboratorSignal',
    description: 'A result or a sign-up of a collaborator that is beyond a limit of a program.',
  });

export const getCollaboratorSignals = operation({
  method: 'GET',
  path: '/v1/collaborator-signals',
  tag: 'Figures',
  summary: 'Get fraud signals about collaborators',
  description:
    'Returns the collaborators whose conversion rate or refund rate is beyond a limit in the fraud settings of an ' +
    `active program, over the last ${COMPARED_DAYS} days. A conversion rate needs ${ENOUGH_VISITS} visits, and a refund ` +
    `rate needs ${ENOUGH_SALES} sales and renewals. In each program, only the 1,000 collaborators with the most visits ` +
    'are compared. These fraud signals send no conversion to review, because results change. ' +
    'Then returns the collaborators who signed up in the portal in the last 30 days, from a network with too many ' +
    'applicants.',
  scope: 'resources:read',
  mayLag: true,
  success: {
    description: 'The fraud signals.',
    body: z.array(collaboratorSignal).meta({
      description:
        'The fraud signals about results, grouped by program, and then the fraud signals about sign-ups, newest first.',
    }),
  },
});
