import { MAX_ALIAS_CODE } from '#collaborators/domain/alias.ts';
import type { CollaboratorId, ProgramId, TransactionId } from '#core/ids.ts';
import { PAYABLE_KINDS } from '#programs/domain/program.ts';
import { LINE_TYPES } from '#programs/domain/line.ts';
import { z } from 'zod';
import { choice, currencyCode, id, text } from '#core/contract/fields.ts';
import { filterQuery, idsFilter, listQuery, listSuccess, searchFilter } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { opportunityNumber } from '#tracking/contract/opportunity.ts';
import {
  shownAmount,
  shownChoice,
  shownCurrency,
  shownId,
  shownInteger,
  shownOpportunity,
  shownText,
  shownTime,
} from '#core/contract/response-fields.ts';
import { TRANSACTION_STATUSES } from '../domain/transaction.ts';

const operation = operationsOf('Transactions');

export const transaction = z
  .strictObject({
    id: shownId({ description: 'The transaction’s id.', example: 31 }),
    type: shownChoice(PAYABLE_KINDS, {
      description: 'The type. A lead has no lines, and its currency is `XXX`.',
    }),
    renewsTransactionId: shownId({ description: 'For a renewal: the sale.', example: 30 }).optional(),
    renewalNumber: shownInteger({
      description: 'For a renewal: its number among the renewals of the sale.',
      example: 1,
    }).optional(),
    opportunityId: shownOpportunity('The opportunity. Null for an order without a referral.').nullable(),
    source: shownText({ description: 'The system that reported the transaction.', example: 'shop' }),
    externalId: shownText({ description: 'The order’s id in that system.', example: 'order-1001' }),
    total: shownAmount({ description: 'The order’s total.', example: 4999 }),
    refundedAmount: shownAmount({ description: 'The refunded part of the total.', example: 0 }),
    currency: shownCurrency(),
    status: shownChoice(TRANSACTION_STATUSES, {
      description: '`complete ⇄ refunded`. No transaction has the status `cancelled`.',
    }),
    lines: z
      .array(
        z
          .strictObject({
            externalId: shownText({ description: 'The product’s id in your system.', example: 'sku-7' }).nullable(),
            name: shownText({ description: 'The line’s name.', example: 'Blue mug' }),
            type: shownChoice(LINE_TYPES, { description: 'The kind of line.' }),
            quantity: shownInteger({ description: 'The number of units.', example: 1 }),
            amount: shownAmount({
              description: 'The unit price. It is rounded if the report gave the line’s total.',
              example: 4999,
            }),
            total: shownAmount({ description: 'The price of the whole line.', example: 4999 }),
          })
          .meta({ id: 'TransactionLine', description: 'A line of an order.' }),
      )
      .meta({ description: 'The lines, in the order of the report.' }),
    occurredAt: shownTime({
      description: 'When it occurred according to the report. The default is the time of the report.',
    }),
    createdAt: shownTime({ description: 'When it was reported.' }),
    refundedAt: shownTime({ description: 'When it was refunded in full.' }).nullable(),
  })
  .meta({ id: 'Transaction', description: 'A reported sale, lead or renewal.' });

export const transactionId = z.object({ id: id<TransactionId>({ description: 'The transaction’s id.', example: 31 }) });

const FILTERS = {
  ids: idsFilter,
  search: searchFilter('the external id, or the whole code of a coupon'),
  couponCode: text(1, MAX_ALIAS_CODE, {
    description:
      'Transactions whose report named this coupon in `couponCodes`, while it belonged to an active collaborator. ' +
      'Case is ignored. Coupons of `POST /v1/event/coupon-applied` don’t count.',
    example: 'ADA10',
  }),
  type: choice(PAYABLE_KINDS, { description: 'Transactions of this type.' }),
  renewsTransactionId: id<TransactionId>({ description: 'Renewals of this sale.' }),
  source: text(1, 64, { description: 'Transactions from this source.' }),
  externalId: text(1, 255, { description: 'Transactions with this external id.' }),
  status: choice(TRANSACTION_STATUSES, {
    description: 'Transactions with this status. `cancelled` finds nothing, because no transaction has this status.',
  }),
  currency: currencyCode({ description: 'Transactions in this currency.' }),
  collaboratorId: id<CollaboratorId>({ description: 'Transactions with a conversion of this collaborator.' }),
  programId: id<ProgramId>({ description: 'Transactions with a conversion in this program.' }),
  opportunityId: opportunityNumber,
  opportunityIds: idsFilter,
};

export const listTransactions = operation({
  method: 'GET',
  path: '/v1/transactions',
  summary: 'List transactions',
  description:
    'Lists reported sales, leads and renewals. `opportunityId` also finds the transactions of merged ' +
    'opportunities.',
  scope: 'resources:read',
  query: listQuery(['id', 'occurredAt'], FILTERS),
  mayLag: true,
  success: listSuccess(transaction, 'Transactions.'),
});

export const totalTransactions = operation({
  method: 'GET',
  path: '/v1/transactions/totals',
  summary: 'Add up transactions',
  description:
    'Returns the number and the totals of all transactions that the list finds with the same filters. ' +
    'More than 100,000 transactions are refused.',
  scope: 'resources:read',
  query: filterQuery(FILTERS, ['occurredAt']),
  mayLag: true,
  success: {
    description: 'The totals.',
    body: z
      .strictObject({
        count: shownInteger({ description: 'The number of transactions.', example: 42 }),
        totals: z
          .array(
            z
              .strictObject({
                currency: shownCurrency(),
                count: shownInteger({ description: 'The number of transactions in the currency.', example: 42 }),
                total: shownAmount({ description: 'The sum of the totals.', example: 209958 }),
                refundedAmount: shownAmount({ description: 'The sum of the refunded amounts.', example: 4999 }),
              })
              .meta({ id: 'TransactionTotal', description: 'The totals of transactions in one currency.' }),
          )
          .meta({ description: 'The totals in each currency. Leads have the currency `XXX`.' }),
      })
      .meta({ id: 'TransactionTotals', description: 'The number and the totals of transactions.' }),
  },
});

export const getTransaction = operation({
  method: 'GET',
  path: '/v1/transactions/{id}',
  summary: 'Get a transaction',
  description: 'Returns a reported sale or renewal with its lines, or a reported lead, which has no lines.',
  scope: 'resources:read',
  params: transactionId,
  success: { description: 'The transaction.', body: transaction },
});
