import { changeTaxDetails, type TaxDetailsChange } from '../commands/change-tax-details.ts';
import type * as contract from '../contract/tax-details.ts';
import { maskedTaxDetails } from '../domain/tax-details.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { collaborators } from '../store/read/collaborators.ts';
import { findTaxDetails, type KeptTaxDetails } from '../store/tax-details.ts';
import { throttledProblem } from '#access/routes/session-answers.ts';
import { invalidRequest, type Problem, problem } from '#core/contract/problem.ts';
import type { CollaboratorId } from '#core/ids.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { type Answer, answer, type HandlersFor } from '#platform/http/handler.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export function taxDetailsHandlers(secrets: SecretBox): HandlersFor<typeof contract> {
  const show = async (tenant: Tenant, id: CollaboratorId): Promise<Answer | Problem> => {
    if ((await readOne(tenant, collaborators, { id })) === undefined) return problem('not-found');
    return answer(200, { taxDetails: showTaxDetails(await findTaxDetails(tenant, secrets, id)) });
  };
  return {
    getTaxDetails: ({ tenant, params: { id } }) => show(tenant, id),

    changeTaxDetails: async ({ tenant, params: { id }, body: { taxDetails } }) => {
      if (taxDetails === undefined) return show(tenant, id);
      return taxRefusal(await changeTaxDetails(tenant, secrets, id, taxDetails)) ?? show(tenant, id);
    },
  };
}

/** Returns tax details as responses show them: masked, or null if there are none. */
export function showTaxDetails(kept: KeptTaxDetails | undefined): KeptTaxDetails | null {
  return kept === undefined ? null : { ...maskedTaxDetails(kept), updatedAt: kept.updatedAt };
}

/** Returns the problem for a refused change of tax details, or undefined if the change was made. */
export function taxRefusal(change: TaxDetailsChange): Problem | undefined {
  switch (change.kind) {
    case 'changed':
      return undefined;
    case 'unknown':
      return problem('not-found');
    case 'deleted':
      return problem('invalid-transition', 'A deleted collaborator can’t be changed. Create a new collaborator.');
    case 'masked':
      return invalidRequest(
        change.fields.map((field) => ({
          pointer: `/taxDetails/${field}`,
          code: 'masked',
          detail: 'This masked value differs from the stored value. Send the full value.',
        })),
      );
    case 'faulty':
      return invalidRequest(
        change.faults.map(({ field, ...fault }) => ({ pointer: `/taxDetails/${field}`, ...fault })),
      );
    case 'throttled':
      return throttledProblem(change);
    default:
      return change satisfies never;
  }
}
