import { getBalance } from './balance.ts';
import { creditTransaction } from './credit.ts';
import { createAlias, listAliases, retireAlias } from './alias.ts';
import { getAuditEntry, listAuditEntries } from './audit-entry.ts';
import { changeApiKey, createApiKey, getApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-key.ts';
import {
  changeCollaborator,
  createCollaborator,
  deleteCollaborator,
  getCollaborator,
  listCollaborators,
  moveCollaborators,
} from './collaborator.ts';
import {
  approveConversion,
  getConversion,
  listConversions,
  rejectConversion,
  reviewConversions,
} from './conversion.ts';
import { createCustomEvent, deleteCustomEvent, getCustomEvent, listCustomEvents } from './custom-event.ts';
import { getEngagement, listEngagements } from './engagement.ts';
import { enrollCollaborator, listEnrollments, removeCollaborator } from './enrollment.ts';
import { getEvent, listEvents, retryEvent } from './event.ts';
import { explainConversion, explainTransaction } from './explanation.ts';
import {
  completeFulfillment,
  createFulfillments,
  failFulfillment,
  getFulfillment,
  listFulfillments,
  previewFulfillments,
  processFulfillment,
} from './fulfillment.ts';
import { getLedgerCheckpoint, listLedgerEntries } from './ledger.ts';
import { getObligation, listObligations } from './obligation.ts';
import { getJourney, getOpportunity, listOpportunities } from './opportunity.ts';
import { changeOrganization, getOrganization } from './organization.ts';
import {
  exportPayouts,
  getPayout,
  listPayouts,
  markPayoutPaid,
  markPayouts,
  markPayoutUnpaid,
  reviewPayout,
} from './payout.ts';
import {
  changeProgram,
  createProgram,
  deleteProgram,
  getProgram,
  listPrograms,
  listProgramVersions,
} from './program.ts';
import { reportLead } from './lead-report.ts';
import {
  changeProgramGroup,
  createProgramGroup,
  deleteProgramGroup,
  getProgramGroup,
  listProgramGroups,
} from './program-group.ts';
import { reportRefund } from './refund-report.ts';
import { reportRenewal } from './renewal-report.ts';
import { reportSale } from './sale-report.ts';
import { downloadStatement, getStatement } from './statement.ts';
import { getTransaction, listTransactions } from './transaction.ts';
import { reportCouponApplied } from './coupon-report.ts';
import { reportCustomEvent } from './custom-event-report.ts';
import { reportVisit } from './visit-report.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhooks,
  redeliver,
  rotateWebhookSecret,
  testWebhook,
} from './webhook.ts';

/** Every call of the interface, by its id: the routes, the handlers' types and openapi.json come from this table. */
export const operations = {
  reportVisit,
  reportSale,
  reportRefund,
  reportCouponApplied,
  reportCustomEvent,
  reportLead,
  reportRenewal,
  getOrganization,
  changeOrganization,
  listApiKeys,
  createApiKey,
  getApiKey,
  changeApiKey,
  revokeApiKey,
  rotateApiKey,
  listCollaborators,
  createCollaborator,
  getCollaborator,
  changeCollaborator,
  deleteCollaborator,
  moveCollaborators,
  listAliases,
  createAlias,
  retireAlias,
  listPrograms,
  createProgram,
  getProgram,
  changeProgram,
  deleteProgram,
  listProgramVersions,
  listEnrollments,
  enrollCollaborator,
  removeCollaborator,
  listProgramGroups,
  createProgramGroup,
  getProgramGroup,
  changeProgramGroup,
  deleteProgramGroup,
  listCustomEvents,
  createCustomEvent,
  getCustomEvent,
  deleteCustomEvent,
  listOpportunities,
  getOpportunity,
  getJourney,
  listEngagements,
  getEngagement,
  listTransactions,
  getTransaction,
  explainTransaction,
  creditTransaction,
  listConversions,
  getConversion,
  approveConversion,
  rejectConversion,
  reviewConversions,
  explainConversion,
  listObligations,
  getObligation,
  createFulfillments,
  previewFulfillments,
  listFulfillments,
  getFulfillment,
  processFulfillment,
  completeFulfillment,
  failFulfillment,
  listPayouts,
  getPayout,
  markPayoutPaid,
  markPayoutUnpaid,
  markPayouts,
  reviewPayout,
  exportPayouts,
  getBalance,
  getStatement,
  downloadStatement,
  listLedgerEntries,
  getLedgerCheckpoint,
  listEvents,
  getEvent,
  retryEvent,
  listWebhooks,
  createWebhook,
  getWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  redeliver,
  listAuditEntries,
  getAuditEntry,
};

export type Operations = typeof operations;
