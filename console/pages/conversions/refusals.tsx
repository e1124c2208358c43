import { conversions as texts } from '#console/texts/conversions.ts';
import { Button } from '#ui/button.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { dismissRefusals, type Refusal, useReviews } from './undoable-reviews.ts';

/** More are told by their number. */
const SHOWN = 8;

/** What the service would not approve or reject, one by one, and why. */
export function Refusals() {
  const { rows, of } = useReviews().refused;
  if (rows.length === 0) return null;
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
        {rows.slice(0, SHOWN).map((refusal) => (
          <li key={refusal.id}>
            <Link href={`/conversions/${refusal.id}`}>{texts.one.tab(refusal.id)}</Link> {wordsOf(refusal)}
          </li>
        ))}
        {rows.length > SHOWN && <li>{texts.refused.more(rows.length - SHOWN)}</li>}
      </ul>
    </Notice>
  );
}

function wordsOf({ action, outcome }: Refusal): string {
  return outcome === 'not-found' ? texts.refused.missing : texts.refused[action];
}
