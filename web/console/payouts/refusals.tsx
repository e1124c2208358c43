import { payouts as texts } from './payouts-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { dismissRefusals, useReviews } from './undoable-reviews.ts';

export type RefusalsProps = {
  readonly title: (count: number) => string;
  readonly rows: readonly { readonly id: number; readonly outcome: string }[];
  /** The reasons for a refusal as texts, by outcome. */
  readonly words: Readonly<Record<string, string>>;
  readonly onDismiss: () => void;
};

/** The maximum number of payouts in the list. Further payouts are only counted. */
const SHOWN = 8;

/** Lists the payouts that the service refused to change, with reasons. */
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

/** Shows the progress of a bulk review, and the payouts that could not be decided. */
export function ReviewProgress() {
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
