/**
 * What a sale's report says about its buyer. It is compared with the collaborators when the sale is recorded, and is not
 * stored. An absent detail was not reported.
 */
export type Buyer = {
  readonly email?: string | null | undefined;
  readonly name?: string | null | undefined;
  /** An identifier of the card that is the same for each payment with it, as payment providers report it. */
  readonly cardFingerprint?: string | null | undefined;
  /** A hash of the delivery address, which the shop computes. */
  readonly addressHash?: string | null | undefined;
};

/** A buyer in the form in which details are compared. Null means that a detail was not reported. */
export type ComparedBuyer = { readonly [Detail in keyof Buyer]-?: string | null } & {
  /** The email address without a tag: `ada@mail.example` for `ada+shop@mail.example`. */
  readonly untaggedEmail: string | null;
  readonly emailDomain: string | null;
};

/** Returns the buyer in the form in which details are compared, or null if there is nothing to compare. */
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

/** Returns the text without surrounding spaces, or null if there is none. */
function textOf(detail: string | null | undefined): string | null {
  return detail?.trim() || null;
}
