import type { ProgramTerms } from '#programs/domain/program.ts';

/**
 * The terms of the simplest program: ten percent of a sale's products less discounts, paid for the last touch within 30
 * days.
 */
export const PLAIN_TERMS: ProgramTerms = {
  status: 'active',
  currency: 'USD',
  windowDays: 30,
  attribution: 'last-touch',
  reward: { type: 'percent', ratePpm: 100_000 },
  countedLines: ['product', 'discount'],
  triggers: { 'site-visit': 1 },
  pays: ['sale'],
  autoApprove: false,
  approveAfterDays: null,
  enrollment: 'everyone',
  creditsPer: 'sale',
  groupId: null,
  tiers: null,
  capPerOrder: null,
  capPerPeriod: null,
  lineFilter: null,
  minimumOrder: null,
  collaboratorRewards: [],
  renewalLimit: null,
  renewalRewards: [],
  holds: null,
};
