import type { ConversionReview } from '@whence/sdk';
import { conversions as texts } from '#console/texts/conversions.ts';
import { Button } from '#ui/button.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { Progress } from '#ui/progress.tsx';
import type { Refused } from '#ui/undoable-changes.ts';
import { dismissRefusals, type ReviewAction, useReviews } from './undoable-reviews.ts';

/** More are told by their number. */
const SHOWN = 8;

/** How far a review of many has come, and what it could not change. */
export function ReviewNews() {
  const { sent, refused } = useReviews();
  return (
    <>
      {sent !== undefined && <Progress label={texts.changing} {...sent} />}
      {refused !== undefined && <Refusals {...refused} />}
    </>
  );
}

/** What the service would not approve or reject, one by one, and why. */
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
