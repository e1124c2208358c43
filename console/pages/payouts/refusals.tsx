import { payouts as texts } from '#console/texts/payouts.ts';
import { Button } from '#ui/button.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { Progress } from '#ui/progress.tsx';
import { Text } from '#ui/text.tsx';
import { dismissRefusals, useReviews } from './undoable-reviews.ts';

export type RefusalsProps = {
  readonly title: (count: number) => string;
  readonly rows: readonly { readonly id: number; readonly outcome: string }[];
  /** Why, by outcome. */
  readonly words: Readonly<Record<string, string>>;
  readonly onDismiss: () => void;
};

/** More are told by their number. */
const SHOWN = 8;

/** Payouts that the service would not change, one by one, and why. */
export function Refusals({ title, rows, words, onDismiss }: RefusalsProps) {
  if (rows.length === 0) return null;
  return (
    <Notice
      tone="warn"
      title={title(rows.length)}
      actions={
        <Button size="small" variant="ghost" onClick={onDismiss}>
          {texts.mark.dismiss}
        </Button>
      }
    >
      <ul>
        {rows.slice(0, SHOWN).map(({ id, outcome }) => (
          <li key={id}>
            <Link href={`/payouts/${id}`}>{texts.payout(id)}</Link> <Text tone="muted">{words[outcome]}</Text>
          </li>
        ))}
        {rows.length > SHOWN && <li>{texts.planning.more(rows.length - SHOWN)}</li>}
      </ul>
    </Notice>
  );
}

/** How far a review of many has come, and what it could not decide. */
export function ReviewNews() {
  const { sent, refused } = useReviews();
  return (
    <>
      {sent !== undefined && <Progress label={texts.review.deciding} {...sent} />}
      <Refusals
        title={texts.review.refused}
        rows={refused?.rows ?? []}
        words={texts.review.outcomes}
        onDismiss={dismissRefusals}
      />
    </>
  );
}
