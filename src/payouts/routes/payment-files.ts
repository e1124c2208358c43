import { changePayerAccount } from '../commands/change-payer-account.ts';
import { listPaymentFiles } from '../commands/list-payment-files.ts';
import { type PaymentFileContent, readPaymentFile } from '../commands/read-payment-file.ts';
import type * as payerContract from '../contract/payer-account.ts';
import * as fileContract from '../contract/payment-file.ts';
import { maskedIban } from '../domain/payer-account.ts';
import { type FileFormat, ROWS_OF_FILE } from '../domain/payment-file.ts';
import { type CsvFormat, PAYMENT_ROWS } from '../domain/payment-rows.ts';
import { type PayerAccount, sepaFile } from '../domain/sepa-file.ts';
import { findPayerAccount, type KeptPayerAccount } from '../store/payer-accounts.ts';
import { paymentText } from '../wording/payment-text.ts';
import { lockAuthority } from '#access/routes/changes.ts';
import { faultAt, invalidRequest, type Problem, problem } from '#core/contract/problem.ts';
import type { FulfillmentId } from '#core/ids.ts';
import { dayIn } from '#core/time-zone.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { csvText } from '#platform/http/csv.ts';
import { type Answer, answer, answerOutcome, type HandlersFor, type Stream } from '#platform/http/handler.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { answerLongJson, CSV, slicesOf, XML } from '#platform/http/streams.ts';

/** Returns the handlers for the payment files of runs, and for the account from which the merchant pays. */
export function paymentFileHandlers(secrets: SecretBox): HandlersFor<typeof fileContract & typeof payerContract> {
  return {
    getPayerAccount: async ({ tenant }) => answer(200, shownPayer(await findPayerAccount(tenant, secrets))),

    changePayerAccount: async ({ tenant, body: { holder, iban, bic } }) => {
      const change = await changePayerAccount(tenant, secrets, { holder, iban, bic });
      if (change.kind !== 'faulty') return answer(200, shownPayer(change.account));
      return invalidRequest(change.faults.map(({ field, ...fault }) => ({ pointer: `/${field}`, ...fault })));
    },

    listPaymentFiles: async ({ tenant, params: { id } }) => {
      const listed = await listPaymentFiles(tenant, secrets, id);
      if (listed === undefined) return problem('not-found');
      const leftOut = listed.leftOut.map(({ payoutId, collaboratorId, amount, reason }) => ({
        payoutId,
        collaboratorId,
        amount,
        reason,
      }));
      return answerLongJson({ ...listed, leftOut: slicesOf(leftOut) }, () => Promise.resolve());
    },

    downloadPaymentFile: async ({ auth, tenant, params: { id }, body: { format, first, last } }) => {
      const caller = {
        author: auth.author,
        lockAuthority: (tenant: Tenant<Connection>) => lockAuthority(tenant, fileContract.downloadPaymentFile, auth),
      };
      const reading = await readPaymentFile(tenant, secrets, caller, id, { format, first, last });
      return answerOutcome(reading, {
        read: ({ content }) => answerFile(id, format, content),
        refused: (refusal) => refusal.problem,
        unknown: problem('not-found'),
        empty: NOTHING_TO_PAY,
        'too-many': () => tooMany(format),
        'no-payer': NO_PAYER,
      });
    },
  };
}

function shownPayer(kept: KeptPayerAccount | undefined): object {
  if (kept === undefined) return { holder: null, iban: null, bic: null, updatedAt: null };
  return { ...kept, iban: maskedIban(kept.iban) };
}

const NOTHING_TO_PAY = faultAt(
  '/first',
  'not-applicable',
  'The run has no payout to pay for this file from `first` to `last`. Fetch the run’s payment files again.',
);

const NO_PAYER = faultAt(
  '/format',
  'no-payer-account',
  'A SEPA file needs your bank account. Set it with PATCH /v1/payer-account.',
);

function tooMany(format: FileFormat): Problem {
  const most = ROWS_OF_FILE[format];
  return faultAt(
    '/last',
    'too-many',
    `The file would have more than ${most} payouts. Fetch the run’s payment files again.`,
  );
}

function answerFile(runId: FulfillmentId, format: FileFormat, content: PaymentFileContent): Answer {
  const extension = format === 'sepa' ? 'xml' : 'csv';
  const name = `${content.mode === 'test' ? 'test-not-for-a-bank-' : ''}run-${runId}-${format}-${content.payees[0]?.payoutId ?? 0}.${extension}`;
  const headers = { 'content-disposition': `attachment; filename="${name}"` };
  const stream: Stream =
    format === 'sepa'
      ? { type: XML, pieces: inPieces(sepaLines(runId, content)) }
      : { type: CSV, pieces: csvOf(format, content) };
  return { kind: 'answer', status: 200, stream, headers };
}

function sepaLines(
  runId: FulfillmentId,
  { payees, payer, mode, merchant, timeZone }: PaymentFileContent,
): Generator<string> {
  const describe = ({ payoutId }: (typeof payees)[number]) => paymentText(merchant, mode, payoutId);
  const createdAt = new Date();
  const executeOn = dayIn(timeZone, createdAt);
  return sepaFile({ runId, payer: payer as PayerAccount, createdAt, executeOn, payees, describe });
}

async function* inPieces(lines: Iterable<string>): AsyncGenerator<string> {
  for await (const slice of slicesOf([...lines])) yield slice.join('');
}

/**
 * Yields a CSV file. Files for people have a byte order mark. Files for PayPal and Wise have none, because these
 * services would read it as part of the first cell.
 */
async function* csvOf(format: CsvFormat, { payees, mode, merchant }: PaymentFileContent): AsyncGenerator<string> {
  const { columns, row } = PAYMENT_ROWS[format];
  if (columns !== null) yield csvText([columns], format === 'other' || format === 'all');
  for await (const slice of slicesOf(payees)) {
    const records = slice.map((payee) => row(payee, paymentText(merchant, mode, payee.payoutId)));
    yield csvText(records, false);
  }
}
