import { Minus, Plus } from 'lucide-react';
import { useNames } from '../names.tsx';
import { programEditor } from './editor/program-editor-texts.ts';
import { programTerms, TERM_NAMES, type TermName, type Terms, termText } from './program-terms-texts.ts';
import { classNames } from '#web/ui/controls/class-names.ts';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text, VisuallyHidden } from '#web/ui/controls/text.tsx';
import { AmountsText } from '#web/ui/explanation/amounts-text.tsx';
import styles from './changes.module.css';
import { useWords } from './program-words.ts';
import { diffSentences } from './diff-sentences.ts';

const words = programEditor.save;

type Both<Of> = { readonly before: Of; readonly after: Of };

/** Shows the changes of a program, first as sentences from the service and then field by field. */
export function Changes({ before, after }: Both<Terms>) {
  const was = useWords(before);
  const is = useWords(after);
  const error = was.error ?? is.error;
  return (
    <Stack gap={4}>
      <Stack gap={2}>
        <Text strong>{words.words}</Text>
        {error !== null ? (
          <ErrorPanel error={error} />
        ) : was.data === undefined || is.data === undefined ? (
          <Skeleton lines={3} />
        ) : (
          <WordChanges before={was.data} after={is.data} />
        )}
      </Stack>
      <Stack gap={2}>
        <Text strong>{words.fields}</Text>
        <FieldChanges before={before} after={after} />
      </Stack>
    </Stack>
  );
}

/** Shows which sentences of the rule text were removed and added. */
function WordChanges({ before, after }: Both<readonly string[]>) {
  const lines = diffSentences(before, after).filter(({ kind }) => kind !== 'same');
  if (lines.length === 0) return <Text tone="muted">{words.sameWords}</Text>;
  return (
    <ul className={styles.lines}>
      {lines.map(({ kind, text }) => (
        <li key={`${kind} ${text}`} className={classNames(styles.line, kind === 'new' ? styles.new : styles.gone)}>
          {kind === 'new' ? <Plus aria-hidden /> : <Minus aria-hidden />}
          <span>
            <VisuallyHidden>{kind === 'new' ? words.added : words.removed} </VisuallyHidden>
            <AmountsText text={text} />
          </span>
        </li>
      ))}
    </ul>
  );
}

export function changedTerms(before: Terms, after: Terms): TermName[] {
  return TERM_NAMES.filter((term) => JSON.stringify(before[term]) !== JSON.stringify(after[term]));
}

function FieldChanges({ before, after }: Both<Terms>) {
  const changed = changedTerms(before, after);
  const named = changed.includes('collaboratorRewards') ? [before, after] : [];
  const nameOf = useNames(
    'collaborators',
    named.flatMap(({ collaboratorRewards }) => collaboratorRewards.map(({ collaboratorId }) => collaboratorId)),
  );
  return (
    <dl className={styles.fields}>
      {changed.map((term) => (
        <div key={term} className={styles.field}>
          <dt>{programTerms.labels[term]}</dt>
          <dd>
            <span className={styles.was}>
              <VisuallyHidden>{words.wasBefore} </VisuallyHidden>
              {termText(term, before, nameOf)}
            </span>
            <span>
              <VisuallyHidden>{words.isNow} </VisuallyHidden>
              {termText(term, after, nameOf)}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
