import {
  changeAccount,
  changePassword,
  confirmTotp,
  endSession,
  getAccount,
  listSessions,
  removeTotp,
  startTotp,
} from '#access/contract/account.ts';
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  previewInvitation,
  revokeInvitation,
} from '#access/contract/invitation.ts';
import { challengePasskey, createPasskey, deletePasskey, listPasskeys } from '#access/contract/passkey.ts';
import { requestPasswordReset, resetPassword } from '#access/contract/password.ts';
import { changePerson, getPerson, listPeople, removePerson } from '#access/contract/person.ts';
import {
  challengeSession,
  closeSession,
  getSession,
  openSession,
  openSessionByPasskey,
} from '#access/contract/session.ts';
import {
  changeConnector,
  createConnector,
  deleteConnector,
  dismissConnectorEvent,
  getConnector,
  getConnectorEvent,
  listConnectorEvents,
  listConnectors,
  retryConnectorEvent,
  rotateConnectorSecret,
} from '#connectors/contract/connector.ts';
import { reconcileConnector, recordListedOrders } from '#connectors/contract/reconciliation.ts';
import { receiveConnectorEvent } from '#connectors/contract/connector-inbox.ts';
import { getBalance, getOwed, listBalances } from '#ledger/contract/balance.ts';
import { eraseCollaborator, exportCollaborator } from '#privacy/contract/collaborator-data.ts';
import { creditTransaction } from '#attribution/contract/credit.ts';
import { createAlias, listAliases, moveAlias, retireAlias } from '#collaborators/contract/alias.ts';
import { changeTaxDetails, getTaxDetails } from '#collaborators/contract/tax-details.ts';
import { getAuditEntry, listAuditEntries } from '#organizations/contract/audit-entry.ts';
import {
  changeApiKey,
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '#access/contract/api-key.ts';
import {
  changeCollaborator,
  createCollaborator,
  deleteCollaborator,
  getCollaborator,
  inviteCollaborator,
  listCollaborators,
  moveCollaborators,
  remindPayoutDetails,
} from '#collaborators/contract/collaborator.ts';
import {
  approveConversion,
  getConversion,
  listConversions,
  rejectConversion,
  releaseConversion,
  reviewConversions,
  totalConversions,
} from '#attribution/contract/conversion.ts';
import { getEngagement, listEngagements } from '#tracking/contract/engagement.ts';
import {
  addCollaboratorNote,
  deleteCollaboratorNote,
  listCollaboratorNotes,
} from '#collaborators/contract/collaborator-note.ts';
import { getEvent, listEvents, retryEvent } from '#tracking/contract/event.ts';
import { explainConversion, explainTransaction } from '#attribution/contract/explanation.ts';
import { testTransaction } from '#attribution/contract/test-sale.ts';
import { getCollaboratorSignals } from '#reporting/contract/collaborator-signal.ts';
import { importExchangeRates, listExchangeRates, saveExchangeRates } from '#reporting/contract/exchange-rate.ts';
import { listFiguresByCollaborator } from '#reporting/contract/collaborator-figures.ts';
import { getFigures } from '#reporting/contract/figure.ts';
import {
  completeFulfillment,
  createFulfillments,
  failFulfillment,
  getFulfillment,
  listFulfillments,
  previewFulfillments,
  processFulfillment,
} from '#payouts/contract/fulfillment.ts';
import { changePayerAccount, getPayerAccount } from '#payouts/contract/payer-account.ts';
import { changePayoutSettings, getPayoutSettings, listPayoutRequests } from '#payouts/contract/payout-request.ts';
import { importPayoutResults, previewPayoutResults } from '#payouts/contract/payout-results.ts';
import { downloadPaymentFile, listPaymentFiles } from '#payouts/contract/payment-file.ts';
import { getLedgerCheckpoint, listLedgerEntries } from '#ledger/contract/ledger.ts';
import { getObligation, listObligations } from '#ledger/contract/obligation.ts';
import { getOpportunity, listOpportunities } from '#tracking/contract/opportunity.ts';
import { changeOrganization, getOrganization } from '#organizations/contract/organization.ts';
import {
  exportPayouts,
  failPayout,
  getPayout,
  listPayouts,
  markPayoutPaid,
  markPayouts,
  markPayoutUnpaid,
  reviewManyPayouts,
  reviewPayout,
} from '#payouts/contract/payout.ts';
import { exportPaidYear } from '#payouts/contract/year-export.ts';
import { changePortalSettings, getPortalSettings } from '#portal/contract/portal-settings.ts';
import {
  changePartnerAgreement,
  getPartnerAgreement,
  listAgreementAcceptances,
  listPartnerAgreementVersions,
} from '#portal/contract/partner-agreement.ts';
import { previewPortal } from '#portal/contract/portal-preview.ts';
import {
  countRecipients,
  listAnnouncements,
  sendAnnouncement,
  testAnnouncement,
} from '#notifications/contract/announcement.ts';
import { changeDigest, getDigest, requestAddressConfirmation } from '#notifications/contract/digest.ts';
import { createInvitationLink, listInvitationLinks, revokeInvitationLink } from '#portal/contract/invitation-link.ts';
import {
  changeMaterial,
  createMaterial,
  deleteMaterial,
  getMaterial,
  listMaterials,
} from '#materials/contract/material.ts';
import { changePartnerEmails, getPartnerEmails } from '#notifications/contract/partner-email.ts';
import { changeProgramSignUp, getPayoutDetails, getProgramSignUp, listSignUps } from '#portal/contract/sign-up.ts';
import { reportLead } from '#sales/contract/lead-report.ts';
import { reportRefund } from '#sales/contract/refund-report.ts';
import { reportSaleCorrection } from '#sales/contract/correction-report.ts';
import { reportRefundReversal } from '#sales/contract/reversal-report.ts';
import { reportRenewal } from '#sales/contract/renewal-report.ts';
import { reportSale } from '#sales/contract/sale-report.ts';
import { downloadStatement, getStatement } from '#ledger/contract/statement.ts';
import { getTransaction, listTransactions, totalTransactions } from '#sales/contract/transaction.ts';
import { reportCouponApplied } from '#tracking/contract/coupon-report.ts';
import { reportCustomEvent, reportEvent } from '#tracking/contract/custom-event-report.ts';
import { reportVisit } from '#tracking/contract/visit-report.ts';
import { eraseVisitor, exportVisitor } from '#privacy/contract/visitor.ts';
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
} from '#webhooks/contract/webhook.ts';
import {
  createBacktest,
  backtestProgram,
  cancelBacktest,
  exportBacktest,
  getBacktest,
  listBacktests,
} from '#backtest/contract/backtest.ts';
import { getJourney } from '#reporting/contract/journey.ts';
import { portalOperations } from './portal-operations.ts';
import { programOperations } from './program-operations.ts';

/**
 * Every operation of the API, by its id. The routes, the types of the handlers and the OpenAPI document are derived
 * from this table.
 */
export const operations = {
  reportVisit,
  reportSale,
  reportRefund,
  reportCouponApplied,
  reportCustomEvent,
  reportEvent,
  reportLead,
  reportRenewal,
  reportRefundReversal,
  reportSaleCorrection,
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
  previewPortal,
  moveCollaborators,
  remindPayoutDetails,
  getTaxDetails,
  changeTaxDetails,
  listCollaboratorNotes,
  addCollaboratorNote,
  deleteCollaboratorNote,
  listAliases,
  createAlias,
  retireAlias,
  moveAlias,
  ...programOperations,
  backtestProgram,
  createBacktest,
  listBacktests,
  getBacktest,
  exportBacktest,
  cancelBacktest,
  listOpportunities,
  getOpportunity,
  getJourney,
  listEngagements,
  getEngagement,
  listTransactions,
  totalTransactions,
  getTransaction,
  explainTransaction,
  testTransaction,
  creditTransaction,
  listConversions,
  totalConversions,
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
  listPaymentFiles,
  downloadPaymentFile,
  getPayerAccount,
  changePayerAccount,
  getPayoutSettings,
  changePayoutSettings,
  listPayoutRequests,
  listPayouts,
  getPayout,
  markPayoutPaid,
  markPayoutUnpaid,
  failPayout,
  markPayouts,
  previewPayoutResults,
  importPayoutResults,
  reviewPayout,
  reviewManyPayouts,
  exportPayouts,
  exportPaidYear,
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
  listFiguresByCollaborator,
  getCollaboratorSignals,
  listExchangeRates,
  saveExchangeRates,
  importExchangeRates,
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
  listConnectors,
  createConnector,
  getConnector,
  changeConnector,
  deleteConnector,
  rotateConnectorSecret,
  listConnectorEvents,
  getConnectorEvent,
  retryConnectorEvent,
  dismissConnectorEvent,
  reconcileConnector,
  recordListedOrders,
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
  getDigest,
  changeDigest,
  requestAddressConfirmation,
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
  getPartnerAgreement,
  changePartnerAgreement,
  listPartnerAgreementVersions,
  listAgreementAcceptances,
  getPartnerEmails,
  changePartnerEmails,
  listAnnouncements,
  countRecipients,
  sendAnnouncement,
  testAnnouncement,
  listMaterials,
  createMaterial,
  getMaterial,
  changeMaterial,
  deleteMaterial,
  getProgramSignUp,
  changeProgramSignUp,
  listInvitationLinks,
  createInvitationLink,
  revokeInvitationLink,
  listSignUps,
  getPayoutDetails,
  ...portalOperations,
};

export type Operations = typeof operations;

/**
 * Messages that other systems send in their own format. The API for clients and the OpenAPI document don't include
 * these messages.
 */
export const messages = { receiveConnectorEvent };

export const served = { ...operations, ...messages };
