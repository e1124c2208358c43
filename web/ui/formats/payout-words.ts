/** The words for payout details, in the console and in the portal. */
export const payoutWords = {
  method: 'Method',
  methods: {
    iban: 'Bank account with IBAN',
    uk: 'UK bank account',
    us: 'US bank account',
    paypal: 'PayPal',
    wise: 'Wise',
    other: 'Other',
    none: 'No payout details yet',
  },
  holder: { iban: 'Account holder', uk: 'Account holder', us: 'Account holder', wise: 'Recipient', other: 'Name' },
  account: {
    iban: 'IBAN',
    uk: 'Account number',
    us: 'Account number',
    paypal: 'PayPal email',
    wise: 'Wise email',
    other: 'Destination',
  },
  bankCode: { iban: 'BIC', uk: 'Sort code', us: 'Routing number' },
  accountType: 'Account type',
  accountTypes: { checking: 'Checking', savings: 'Savings' },
  updatedAt: 'Updated',
} as const;

type Method = keyof typeof payoutWords.account;
type Words = Readonly<Partial<Record<Method, string>>>;

/** Returns the labels of a method's fields. A field that the method doesn't use has no label. */
export function payoutLabels(method: Method) {
  return {
    holder: (payoutWords.holder as Words)[method],
    account: payoutWords.account[method],
    bankCode: (payoutWords.bankCode as Words)[method],
    accountType: method === 'us' ? payoutWords.accountType : undefined,
  };
}

export type ShownDetails = {
  readonly method: Method;
  readonly holder: string | null;
  readonly account: string;
  readonly bankCode: string | null;
  readonly accountType: keyof typeof payoutWords.accountTypes | null;
};

/** Returns the given fields of payout details with their labels, in the order in which a bank asks for them. */
export function payoutFacts(details: ShownDetails): readonly { readonly label: string; readonly text: string }[] {
  const { method, holder, account, bankCode, accountType } = details;
  const labels = payoutLabels(method);
  const type = accountType && payoutWords.accountTypes[accountType];
  return [
    { label: labels.holder, text: holder },
    { label: labels.account, text: spaced(method, account) },
    { label: labels.bankCode, text: bankCode },
    { label: labels.accountType, text: type },
  ].flatMap(({ label, text }) => (label === undefined || text === null ? [] : [{ label, text }]));
}

/**
 * Returns an IBAN in groups of four characters, as banks print it. Returns a masked IBAN and any other account
 * unchanged.
 */
function spaced(method: Method, account: string): string {
  return method === 'iban' && !account.includes('•') ? (account.match(/.{1,4}/g)?.join(' ') ?? account) : account;
}
