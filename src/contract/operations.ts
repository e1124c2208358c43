import {
  changeAccount,
  changePassword,
  confirmTotp,
  endSession,
  getAccount,
  listSessions,
  removeTotp,
  startTotp,
} from './account.ts';
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  previewInvitation,
  revokeInvitation,
} from './invitation.ts';
import { challengePasskey, createPasskey, deletePasskey, listPasskeys } from './passkey.ts';
import { requestPasswordReset, resetPassword } from './password.ts';
import { changePerson, getPerson, listPeople, removePerson } from './person.ts';
import { challengeSession, closeSession, getSession, openSession, openSessionByPasskey } from './session.ts';
import { getBalance, getOwed, listBalances } from './balance.ts';
import { eraseCollaborator, exportCollaborator } from './collaborator-data.ts';
import { creditTransaction } from './credit.ts';
import { createAlias, listAliases, retireAlias } from './alias.ts';
import { getAuditEntry, listAuditEntries } from './audit-entry.ts';
import { changeApiKey, createApiKey, getApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-key.ts';
import {
  changeCollaborator,
  createCollaborator,
  deleteCollaborator,
  getCollaborator,
  inviteCollaborator,
  listCollaborators,
  moveCollaborators,
} from './collaborator.ts';
import {
  approveConversion,
  getConversion,
  listConversions,
  rejectConversion,
  releaseConversion,
  reviewConversions,
} from './conversion.ts';
import { createCustomEvent, deleteCustomEvent, getCustomEvent, listCustomEvents } from './custom-event.ts';
import { getEngagement, listEngagements } from './engagement.ts';
import { enrollCollaborator, listEnrollments, removeCollaborator } from './enrollment.ts';
import { getEvent, listEvents, retryEvent } from './event.ts';
import { explainConversion, explainTransaction } from './explanation.ts';
import { getFigures } from './figure.ts';
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
  reviewManyPayouts,
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
import { exampleProgram } from './program-example.ts';
import { getPortal, openPortalSession, requestPortalLink, signUp } from './portal.ts';
import { getPortalBalance, getPortalFigures, listPortalConversions, listPortalPayouts } from './portal-earnings.ts';
import { createPortalLink, listPortalLinks, retirePortalLink } from './portal-link.ts';
import {
  challengePortalPasskey,
  challengePortalSession,
  createPortalPasskey,
  deletePortalPasskey,
  listPortalPasskeys,
  openPortalSessionByPasskey,
} from './portal-passkey.ts';
import {
  changePortalAccount,
  closePortalSession,
  endPortalSession,
  getPortalAccount,
  getPortalSession,
  listPortalSessions,
} from './portal-session.ts';
import { changePortalSettings, getPortalSettings } from './portal-settings.ts';
import { downloadPortalStatement, getPortalStatement } from './portal-statement.ts';
import { changeProgramSignUp, getPayoutDetails, getProgramSignUp, listSignUps } from './sign-up.ts';
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
import { eraseVisitor, exportVisitor } from './visitor.ts';
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
  inviteCollaborator,
  moveCollaborators,
  listAliases,
  createAlias,
  retireAlias,
  listPrograms,
  createProgram,
  exampleProgram,
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
  releaseConversion,
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
  reviewManyPayouts,
  exportPayouts,
  getBalance,
  listBalances,
  getOwed,
  getStatement,
  downloadStatement,
  listLedgerEntries,
  getLedgerCheckpoint,
  listEvents,
  getEvent,
  retryEvent,
  getFigures,
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
  exportVisitor,
  eraseVisitor,
  exportCollaborator,
  eraseCollaborator,
  listPeople,
  getPerson,
  changePerson,
  removePerson,
  listInvitations,
  createInvitation,
  revokeInvitation,
  previewInvitation,
  acceptInvitation,
  openSession,
  challengeSession,
  openSessionByPasskey,
  requestPasswordReset,
  resetPassword,
  getSession,
  closeSession,
  getAccount,
  changeAccount,
  changePassword,
  listSessions,
  endSession,
  startTotp,
  confirmTotp,
  removeTotp,
  listPasskeys,
  challengePasskey,
  createPasskey,
  deletePasskey,
  getPortalSettings,
  changePortalSettings,
  getProgramSignUp,
  changeProgramSignUp,
  listSignUps,
  getPayoutDetails,
  getPortal,
  signUp,
  requestPortalLink,
  openPortalSession,
  challengePortalSession,
  openPortalSessionByPasskey,
  getPortalSession,
  closePortalSession,
  listPortalSessions,
  endPortalSession,
  getPortalAccount,
  changePortalAccount,
  listPortalPasskeys,
  challengePortalPasskey,
  createPortalPasskey,
  deletePortalPasskey,
  listPortalLinks,
  createPortalLink,
  retirePortalLink,
  listPortalConversions,
  getPortalFigures,
  getPortalBalance,
  listPortalPayouts,
  getPortalStatement,
  downloadPortalStatement,
};

export type Operations = typeof operations;
