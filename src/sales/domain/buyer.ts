/**
 * The details of a buyer, as reported with a sale. They are compared with the collaborators when the sale is recorded.
 * The details themselves are not stored. An absent detail was not reported.
 */
export type Buyer = {
  readonly email?: string | null | undefined;
  readonly name?: string | null | undefined;
  /** An identifier of the card, from the payment provider. It is the same for all payments with the card. */
  readonly cardFingerprint?: string | null | undefined;
  /** A hash of the delivery address, which the shop computes. */
  readonly addressHash?: string | null | undefined;
};

/** The details of a buyer, normalized for comparison. Null means that a detail was not reported. */
export type ComparedBuyer = { readonly [Detail in keyof Buyer]-?: string | null } & {
  /** The email address without a tag: `ada@mail.example` for `ada+shop@mail.example`. */
  readonly untaggedEmail: string | null;
  readonly emailDomain: string | null;
};

/** Returns the details normalized for comparison, or null if there are no details to compare. */
export function comparedBuyer({ email, name, cardFingerprint, addressHash }: Buyer): ComparedBuyer | null {
  const address = email?.trim().toLowerCase() ?? '';
  const at = address.lastIndexOf('@');
  const domain = at > 0 ? address.slice(at + 1) : null;
  const buyer = {
    email: domain === null ? null : address,
    untaggedEmail: domain === null ? null : `${address.slice(0, at).split('+')[0]}@${domain}`,
    emailDomain: domain,
    name: textOf(name?.split(WHITE_SPACE).join(' ').toLowerCase()),
    cardFingerprint: textOf(cardFingerprint),
    addressHash: textOf(addressHash),
  };
  return Object.values(buyer).every((detail) => detail === null) ? null : buyer;
}

const WHITE_SPACE = /\s+/;

/** Returns the text without surrounding spaces, or null if it is empty or absent. */
function textOf(detail: string | null | undefined): string | null {
  return detail?.trim() || null;
}
