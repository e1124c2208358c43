import { faultAt, type Problem } from '#core/contract/problem.ts';
import { readOrganization } from '#organizations/store/read/organizations.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

type TargetCurrency = { readonly kind: 'known'; readonly convertTo: string | undefined };

/**
 * Returns the currency into which figures are converted, or undefined if `converted` is not `true`. Returns a problem
 * if `converted` is `true`, but the organization has no reporting currency.
 */
export async function readTargetCurrency(
  tenant: Tenant,
  converted: string | undefined,
): Promise<TargetCurrency | Problem> {
  if (converted !== 'true') return { kind: 'known', convertTo: undefined };
  const { reportingCurrency } = await readOrganization(tenant);
  return reportingCurrency === null ? NO_CURRENCY : { kind: 'known', convertTo: reportingCurrency };
}

const NO_CURRENCY = faultAt(
  '/converted',
  'not-applicable',
  'The organization has no reporting currency. Set one with PATCH /v1/organization.',
);
