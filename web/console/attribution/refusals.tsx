import type { ConversionReview } from '@whence/sdk';
import { conversions as texts } from './conversions-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import type { Refused } from '#web/ui/feedback/undoable-changes.ts';
import { dismissRefusals, type ReviewAction, useReviews } from './undoable-reviews.ts';

/** The maximum number of conversions in the list. Further conversions are only counted. */
const SHOWN = 8;

/** Shows the progress of a bulk review, and the conversions that could not be changed. */
export function ReviewProgress() {
  const { sent, refused } = useReviews();
  return (
    <>
      {sent !== undefined && <Progress label={texts.changing} {...sent} />}
      {refused !== undefined && <Refusals {...refused} />}
    </>
  );
}

function Refusals({ action, rows, of }: Refused<ReviewAction, ConversionReview>) {
  return (
    <Notice
      tone="warn"
      title={texts.refused.title(rows.length, of)}
      actions={
        <Button size="small" variant="ghost" onClick={dismissRefusals}>
          {texts.refused.dismiss}
        </Button>
      }
    >
      <ul>
        {rows.slice(0, SHOWN).map(({ id, outcome }) => (
          <li key={id}>
            <Link href={`/conversions/${id}`}>{texts.one.tab(id)}</Link> {wordsOf(action, outcome)}
          </li>
        ))}
        {rows.length > SHOWN && <li>{texts.refused.more(rows.length - SHOWN)}</li>}
      </ul>
    </Notice>
  );
}

function wordsOf(action: ReviewAction, outcome: string): string {
  return outcome === 'not-found' ? texts.refused.missing : texts.refused[action];
}
