import { OWN_NEWS_TYPES } from '#webhooks/domain/webhook.ts';

/** Orders without a referral have no opportunity. Previously, they were refused. */
const WITHOUT_REFERRAL = [
  'POST /v1/event/sale: 200 header X-Service-OID may be missing now',
  'POST /v1/event/renewal: 200 header X-Service-OID may be missing now',
  'GET /v1/transactions: 200[]/opportunityId has another type: "null" fits nothing',
  'GET /v1/transactions/{id}: 200/opportunityId has another type: "null" fits nothing',
  'POST /v1/transactions/{id}/credits: 201/opportunityId has another type: "null" fits nothing',
  'GET /v1/conversions: 200[]/opportunityId has another type: "null" fits nothing',
  'GET /v1/conversions/{id}: 200/opportunityId has another type: "null" fits nothing',
  'POST /v1/conversions/{id}/approve: 200/opportunityId has another type: "null" fits nothing',
  'POST /v1/conversions/{id}/reject: 200/opportunityId has another type: "null" fits nothing',
  'GET /v1/events: 200[]/opportunityId has another type: "null" fits nothing',
  'GET /v1/events/{id}: 200/opportunityId has another type: "null" fits nothing',
  'POST /v1/events/{id}/retry: 200/opportunityId has another type: "null" fits nothing',
  'POST transaction.created: body/data/opportunityId has another type: "null" fits nothing',
  'POST transaction.refunded: body/data/opportunityId has another type: "null" fits nothing',
  'POST conversion.created: body/data/opportunityId has another type: "null" fits nothing',
  'POST conversion.approved: body/data/opportunityId has another type: "null" fits nothing',
  'POST conversion.rejected: body/data/opportunityId has another type: "null" fits nothing',
].map((change) => ({ change, why: 'An order without a referral has no opportunity.' }));

/** Receivers written for other implementations read a string, as in the header `webhook-id`. */
const DELIVERY_IDS = [
  'GET /v1/webhooks/{id}/deliveries/{deliveryId}: 200/payload/deliveryId',
  ...[...OWN_NEWS_TYPES, 'webhook.test'].map((type) => `POST ${type}: body/deliveryId`),
].map((field) => ({
  change: `${field} has another type: "string" fits nothing`,
  why: 'other implementations send a string',
}));

/** A user id may be text. */
const TEXT_USERS = [
  ...[
    'DELETE /v1/collaborators/{id}: 200/userId has another type: "string" fits nothing',
    'GET /v1/collaborators/{id}: 200/userId has another type: "string" fits nothing',
    'GET /v1/collaborators: 200[]/userId has another type: "string" fits nothing',
    'GET /v1/opportunities/{id}/journey: 200/steps[]/userId has another type: "string" fits nothing',
    'GET /v1/opportunities/{id}: 200/userId has another type: "string" fits nothing',
    'GET /v1/opportunities: 200[]/userId has another type: "string" fits nothing',
    'PATCH /v1/collaborators/{id}: 200/userId has another type: "string" fits nothing',
    'POST /v1/collaborators: 201/userId has another type: "string" fits nothing',
    'POST collaborator.created: body/data/userId has another type: "string" fits nothing',
    'POST collaborator.updated: body/data/userId has another type: "string" fits nothing',
    // These limits apply to text. Integers are accepted as before.
    ...['collaborators', 'opportunities'].flatMap((list) =>
      ['minLength', 'maxLength'].map((limit) => `GET /v1/${list}: query userId has a narrower ${limit}`),
    ),
    'POST opportunity.created: body/data/userId has another type: "string" fits nothing',
    'POST opportunity.merged: body/data/userId has another type: "string" fits nothing',
  ].map((change) => ({
    change,
    why: 'a user id may be text, and is then answered as text; an integer stays an integer',
  })),
  ...[
    'PATCH /v1/collaborators/{id}: body/userId has a narrower maxLength',
    'PATCH /v1/collaborators/{id}: body/userId has a narrower minLength',
    'POST /v1/collaborators: body/userId has a narrower maxLength',
    'POST /v1/collaborators: body/userId has a narrower minLength',
    'POST /v1/event/site-visited: body/userId has a narrower maxLength',
    'POST /v1/event/site-visited: body/userId has a narrower minLength',
  ].map((change) => ({ change, why: 'a user id in a string was digits; empty and longer ones were refused before' })),
];

const SHORT_PASSKEYS = [
  ...['POST /v1/sessions/passkey', 'POST /v1/portals/{slug}/sessions/passkey'].flatMap((call) =>
    ['clientDataJSON', 'authenticatorData', 'signature'].map((field) => `${call}: body/response/response/${field}`),
  ),
  ...['POST /v1/account/passkeys', 'POST /v1/portal/passkeys'].flatMap((call) =>
    ['clientDataJSON', 'attestationObject'].map((field) => `${call}: body/response/response/${field}`),
  ),
].map((field) => ({
  change: `${field} has a narrower maxLength`,
  why: 'Calls that anybody can make take bodies of up to 16 KiB. No authenticator answers nearly as much.',
}));

/**
 * Intended breaks, each as the test prints it and with its reason. The next release empties the list: `npm run openapi
 * -- --release`. See CONTRIBUTING.md, “Break a promise”.
 */
export const MEANT: readonly { readonly change: string; readonly why: string }[] = [
  WITHOUT_REFERRAL,
  DELIVERY_IDS,
  TEXT_USERS,
  SHORT_PASSKEYS,
].flat();
