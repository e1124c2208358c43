import { piecesOf } from './explanation-pieces.ts';
import { Money } from '../controls/money.tsx';

/** Shows the service's text of a step or a reason, with amounts formatted as on other pages. */
export function AmountsText({ text }: { readonly text: string }) {
  return piecesOf(text).map((piece) =>
    piece.kind === 'money' ? (
      <Money key={piece.from} minor={piece.minor} currency={piece.currency} />
    ) : piece.kind === 'collaborator' ? (
      `(${piece.text})`
    ) : (
      piece.text
    ),
  );
}
