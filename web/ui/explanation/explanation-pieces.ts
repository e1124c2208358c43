/** A part of a line in an explanation: plain text, an amount, or a reference to a collaborator. */
export type Piece = { /** The offset of the piece in the line. */ readonly from: number } & (
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'money'; readonly minor: bigint; readonly currency: string }
  | { readonly kind: 'collaborator'; readonly id: number; readonly text: string }
);

const PIECE = /(?<!\S)(?<amount>-?\d+\.\d{2}) (?<currency>[A-Z]{3})\b|\((?<who>collaborator (?<id>\d+))\)/gu;

/**
 * Splits a calculation step or a reason into pieces, so that its amounts look as on other pages. Everything except an
 * amount and a collaborator's number stays plain text.
 */
export function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  const words = (until: number) => {
    if (until > done) pieces.push({ from: done, kind: 'words', text: line.slice(done, until) });
  };
  for (const found of line.matchAll(PIECE)) {
    const { amount, currency, who, id } = found.groups ?? {};
    words(found.index);
    if (amount !== undefined && currency !== undefined) {
      pieces.push({ from: found.index, kind: 'money', minor: BigInt(amount.replace('.', '')), currency });
    } else if (who !== undefined) {
      pieces.push({ from: found.index, kind: 'collaborator', id: Number(id), text: who });
    }
    done = found.index + found[0].length;
  }
  words(line.length);
  return pieces;
}
