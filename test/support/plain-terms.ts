import type { Holds } from '#programs/domain/hold.ts';
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

/** Fraud settings that are all off. */
export const HOLDS_OFF: Holds = {
  visitsFromAddress: null,
  visitsOfCollaborator: null,
  ownCoupon: false,
  secondsToSale: null,
  adReferrers: [],
  buyerDetails: [],
  minConversionRate: null,
  maxConversionRate: null,
  maxRefundRate: null,
};

/** Fraud settings that are all on. The visit limits and `secondsToSale` have their maximum values. */
export const HOLDS_ON: Holds = {
  visitsFromAddress: 1_000_000,
  visitsOfCollaborator: 1_000_000,
  ownCoupon: true,
  secondsToSale: 86_400,
  adReferrers: ['google.*', 'bing.com'],
  buyerDetails: ['email', 'name', 'card', 'address'],
  minConversionRate: 0.05,
  maxConversionRate: 100,
  maxRefundRate: 12.5,
};
