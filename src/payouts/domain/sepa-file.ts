import type { FulfillmentId } from '#core/ids.ts';
import { formatMajor, type Minor } from '#core/money.ts';
import { type PayableTo, referenceOf } from './payment-file.ts';
import { sepaText } from './sepa-text.ts';

/** The merchant's account, from which payouts are paid. */
export type PayerAccount = {
  readonly holder: string;
  readonly iban: string;
  readonly bic: string | null;
};

export type SepaOrder = {
  readonly runId: FulfillmentId;
  readonly payer: PayerAccount;
  readonly createdAt: Date;
  /** The requested day of execution, as `YYYY-MM-DD`. */
  readonly executeOn: string;
  readonly payees: readonly PayableTo[];
  /** Returns the text that a payee reads on the bank statement. */
  readonly describe: (payee: PayableTo) => string;
};

/** The maximum lengths of names and descriptions in SEPA files, in characters. */
const NAME_LENGTH = 70;
const DESCRIPTION_LENGTH = 140;

/**
 * Yields a SEPA credit transfer in the format pain.001.001.09 of ISO 20022. There must be at least one payee, and all
 * payees must belong to the file format `sepa`. The message id depends only on the run and the file's first payout, so
 * that a bank can refuse a file that it already has.
 */
export function* sepaFile({ runId, payer, createdAt, executeOn, payees, describe }: SepaOrder): Generator<string> {
  const messageId = `R${runId}-P${(payees[0] as PayableTo).payoutId}`;
  const sum = payees.reduce((total, { amount }) => total + amount, 0n) as Minor;
  const totals = `<NbOfTxs>${payees.length}</NbOfTxs><CtrlSum>${formatMajor(sum)}</CtrlSum>`;
  const debtor = `<Nm>${nameOf(payer.holder)}</Nm>`;
  const time = createdAt.toISOString();
  yield `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
<CstmrCdtTrfInitn>
<GrpHdr><MsgId>${messageId}</MsgId><CreDtTm>${time.slice(0, 19)}Z</CreDtTm>${totals}<InitgPty>${debtor}</InitgPty></GrpHdr>
<PmtInf>
<PmtInfId>${messageId}</PmtInfId><PmtMtd>TRF</PmtMtd>${totals}
<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
<ReqdExctnDt><Dt>${executeOn}</Dt></ReqdExctnDt>
<Dbtr>${debtor}</Dbtr><DbtrAcct><Id><IBAN>${payer.iban}</IBAN></Id></DbtrAcct>
<DbtrAgt>${payer.bic === null ? NO_BANK : bank(payer.bic)}</DbtrAgt>
<ChrgBr>SLEV</ChrgBr>
`;
  for (const payee of payees) yield transfer(payee, describe(payee));
  yield '</PmtInf>\n</CstmrCdtTrfInitn>\n</Document>\n';
}

const NO_BANK = '<FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId>';

function bank(bic: string): string {
  return `<FinInstnId><BICFI>${bic}</BICFI></FinInstnId>`;
}

function transfer({ payoutId, amount, name, details: { holder, account, bankCode } }: PayableTo, text: string): string {
  const description = sepaText(text)?.slice(0, DESCRIPTION_LENGTH) ?? referenceOf(payoutId);
  const agent = bankCode === null ? '' : `<CdtrAgt>${bank(bankCode)}</CdtrAgt>`;
  return `<CdtTrfTxInf>
<PmtId><EndToEndId>${referenceOf(payoutId)}</EndToEndId></PmtId>
<Amt><InstdAmt Ccy="EUR">${formatMajor(amount)}</InstdAmt></Amt>
${agent}<Cdtr><Nm>${nameOf(holder ?? name)}</Nm></Cdtr><CdtrAcct><Id><IBAN>${account}</IBAN></Id></CdtrAcct>
<RmtInf><Ustrd>${description}</Ustrd></RmtInf>
</CdtTrfTxInf>
`;
}

/** Returns a name in the form that banks accept. `sepaText` must be able to write the name. */
function nameOf(holder: string): string {
  return (sepaText(holder) as string).slice(0, NAME_LENGTH).trim();
}
