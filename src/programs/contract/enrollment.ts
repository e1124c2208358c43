import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import { z } from 'zod';
import { choice, id, object } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownChoice, shownId, shownTime } from '#core/contract/response-fields.ts';

const operation = operationsOf('Programs');
const ENROLLMENT_STATUSES = ['enrolled', 'removed'] as const;

export const enrollment = z
  .strictObject({
    programId: shownId({ description: 'The program.', example: 5 }),
    collaboratorId: shownId({ description: 'The enrolled collaborator.', example: 7 }),
    status: shownChoice(ENROLLMENT_STATUSES, { description: '`enrolled` or `removed`.' }),
    createdAt: shownTime({ description: 'When it was created.' }),
  })
  .meta({
    id: 'Enrollment',
    description: 'A collaborator’s permission to earn in a program whose enrollment is `selected`.',
  });

const programId = { id: id<ProgramId>({ description: 'The program’s id.', example: 5 }) };
const collaboratorId = id<CollaboratorId>({ description: 'The collaborator’s id.', example: 7 });

export const listEnrollments = operation({
  method: 'GET',
  path: '/v1/programs/{id}/collaborators',
  summary: 'List a program’s collaborators',
  description:
    'Lists the collaborators who are enrolled in a program. `status=removed` lists collaborators whose ' +
    'enrollment has ended.',
  scope: 'resources:read',
  params: z.object(programId),
  query: listQuery(['collaboratorId', 'createdAt'], {
    collaboratorId,
    status: choice(ENROLLMENT_STATUSES, { description: 'Enrollments with this status. The default is `enrolled`.' }),
  }),
  mayLag: true,
  success: listSuccess(enrollment, 'Enrollments.'),
});

export const enrollCollaborator = operation({
  method: 'POST',
  path: '/v1/programs/{id}/collaborators',
  summary: 'Enroll a collaborator',
  description:
    'Enrolls a collaborator in a program. A program with `"enrollment": "selected"` pays only enrolled ' +
    'collaborators. If the collaborator is already enrolled, nothing changes.',
  scope: 'resources:write',
  params: z.object(programId),
  body: object({ collaboratorId }),
  success: { status: 201, description: 'The enrollment.', body: enrollment },
  problems: ['invalid-transition'],
});

export const removeCollaborator = operation({
  method: 'DELETE',
  path: '/v1/programs/{id}/collaborators/{collaboratorId}',
  summary: 'Remove a collaborator from a program',
  description:
    'Ends a collaborator’s enrollment in a program. If the program has `"enrollment": "selected"`, it pays the ' +
    'collaborator nothing for later sales. If the program is open to sign-ups, the collaborator can sign up again. Set ' +
    'their status to `inactive` to prevent that. Repeating the call changes nothing.',
  scope: 'resources:write',
  params: z.object({ ...programId, collaboratorId }),
  success: { description: 'The changed enrollment.', body: enrollment, example: { status: 'removed' } },
});
