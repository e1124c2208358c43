import { type FileFormat, type PayableTo, paymentAmount, referenceOf } from './payment-file.ts';

export type CsvFormat = Exclude<FileFormat, 'sepa'>;

type Rows = {
  /** The header row, or null if the file has no header. */
  readonly columns: readonly string[] | null;
  readonly row: (payee: PayableTo, text: string) => readonly (string | number | null)[];
};

/** PayPal reads the first row as a payment, so its file has no header. */
const PAYPAL: Rows = {
  columns: null,
  row: ({ details, amount, currency, payoutId }, text) => [
    details.account,
    paymentAmount(amount, currency),
    currency,
    referenceOf(payoutId),
    text,
    'PAYPAL',
  ],
};

const WISE: Rows = {
  columns: [
    'name',
    'recipientEmail',
    'sourceCurrency',
    'targetCurrency',
    'amount',
    'amountCurrency',
    'paymentReference',
  ],
  row: ({ details, name, amount, currency, payoutId }) => [
    details.holder ?? name,
    details.account,
    currency,
    currency,
    paymentAmount(amount, currency),
    'target',
    referenceOf(payoutId),
  ],
};

/** `status` and `reason` are empty. Once people have filled them in, the file can be imported as a result file. */
const PLAIN: Rows = {
  columns: [
    'reference',
    'method',
    'holder',
    'account',
    'bankCode',
    'accountType',
    'amount',
    'currency',
    'collaboratorId',
    'name',
    'status',
    'reason',
  ],
  row: ({ details, name, amount, currency, payoutId, collaboratorId }) => [
    referenceOf(payoutId),
    details.method,
    details.holder ?? name,
    details.account,
    details.bankCode,
    details.accountType,
    paymentAmount(amount, currency),
    currency,
    collaboratorId,
    name,
    null,
    null,
  ],
};

/** The columns and rows of each CSV file. */
export const PAYMENT_ROWS: Readonly<Record<CsvFormat, Rows>> = {
  paypal: PAYPAL,
  wise: WISE,
  other: PLAIN,
  all: PLAIN,
};
