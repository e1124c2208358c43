import { getPortalPayoutRequests, requestPortalPayout } from '#portal/contract/portal-payout-request.ts';
import { changePortalTaxDetails, getPortalTaxDetails } from '#portal/contract/portal-tax-details.ts';
import { changePortalEmails, getPortalEmails } from '#notifications/contract/partner-email.ts';
import {
  acceptPortalAgreement,
  getOpenPortalAgreement,
  getPortalAgreement,
} from '#portal/contract/partner-agreement.ts';
import { listPortalMaterials } from '#materials/contract/portal-material.ts';
import { previewInvitationLink } from '#portal/contract/invitation-link.ts';
import { getPortal, openPortalSession, requestPortalLink, signUp } from '#portal/contract/portal.ts';
import {
  getPortalBalance,
  getPortalFigures,
  listPortalConversions,
  listPortalPayouts,
} from '#portal/contract/portal-earnings.ts';
import { createPortalLink, listPortalLinks, retirePortalLink } from '#portal/contract/portal-link.ts';
import {
  challengePortalPasskey,
  challengePortalSession,
  createPortalPasskey,
  deletePortalPasskey,
  listPortalPasskeys,
  openPortalSessionByPasskey,
} from '#portal/contract/portal-passkey.ts';
import {
  changePortalAccount,
  closePortalSession,
  endPortalSession,
  getPortalAccount,
  getPortalSession,
  listPortalSessions,
} from '#portal/contract/portal-session.ts';
import { downloadPortalStatement, getPortalStatement } from '#portal/contract/portal-statement.ts';

/** The operations of the portal that visitors and collaborators call. They are part of the table of operations. */
export const portalOperations = {
  getPortal,
  getOpenPortalAgreement,
  previewInvitationLink,
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
  getPortalAgreement,
  acceptPortalAgreement,
  getPortalTaxDetails,
  changePortalTaxDetails,
  getPortalEmails,
  changePortalEmails,
  listPortalPasskeys,
  challengePortalPasskey,
  createPortalPasskey,
  deletePortalPasskey,
  listPortalLinks,
  createPortalLink,
  retirePortalLink,
  listPortalMaterials,
  listPortalConversions,
  getPortalFigures,
  getPortalBalance,
  listPortalPayouts,
  getPortalPayoutRequests,
  requestPortalPayout,
  getPortalStatement,
  downloadPortalStatement,
};
