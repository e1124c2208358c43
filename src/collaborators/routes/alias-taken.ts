import { type Problem, problem } from '#core/contract/problem.ts';
import type { TakenCode } from '../commands/create-collaborator.ts';

type Taken = { readonly pointer: string; readonly by: TakenCode['by'] };

/**
 * Returns the problem for codes that belong to other collaborators. It names these collaborators, so return it only to
 * the merchant's people and keys. Throws if `taken` is empty.
 */
export function aliasTaken(taken: readonly Taken[]): Problem {
  const [first] = taken.map(({ by }) => by);
  if (first === undefined) throw new Error('The list of taken codes is empty. Pass at least one code.');
  return problem(
    'alias-taken',
    `The code ${first.code} belongs to ${first.collaboratorName}, collaborator ${first.collaboratorId}. ` +
      `To move it, use POST /v1/aliases/${first.id}/move with fromCollaboratorId and toCollaboratorId.`,
    {
      errors: taken.map(({ pointer, by }) => ({
        pointer,
        code: 'alias-taken',
        detail: `The code ${by.code} belongs to ${by.collaboratorName}. Use another code, or move this code.`,
      })),
      members: {
        taken: taken.map(({ by: { id, type, code, collaboratorId, collaboratorName } }) => {
          return { aliasId: id, type, code, collaboratorId, collaboratorName };
        }),
      },
    },
  );
}
