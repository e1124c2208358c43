import type { ProgramExample } from '@whence/sdk';
import { programEditor as texts } from './program-editor-texts.ts';
import { classNames } from '#web/ui/controls/class-names.ts';
import { Money } from '#web/ui/controls/money.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { AmountsText } from '#web/ui/explanation/amounts-text.tsx';
import styles from './editor.module.css';

const words = texts.example;

/**
 * Shows the commission of each partner on the example sale with the calculation. For a partner without a commission,
 * shows the reason.
 */
export function ExampleResults({ example, stale }: { readonly example: ProgramExample; readonly stale: boolean }) {
  const { candidates, currency } = example.explanation;
  return (
    <section
      className={classNames(styles.results, stale && styles.stale)}
      aria-label={words.result}
      aria-live="polite"
      aria-busy={stale}
    >
      {candidates.length === 0 && <Text strong>{words.nobodyEarns}</Text>}
      {candidates.map((candidate) => (
        <div key={candidate.collaboratorId} className={styles.result}>
          <div className={styles.resultHead}>
            <Text strong cut>
              {candidate.name}
            </Text>
            {candidate.outcome === 'won' ? (
              <span className={styles.amount}>
                <Money minor={candidate.share ?? 0} currency={candidate.currency ?? currency} />
              </span>
            ) : (
              <Text tone="muted">{words.nothing}</Text>
            )}
          </div>
          <Why candidate={candidate} />
        </div>
      ))}
    </section>
  );
}

type Candidate = ProgramExample['explanation']['candidates'][number];

function Why({ candidate: { steps, why } }: { readonly candidate: Candidate }) {
  return (
    <ul className={styles.steps} aria-label={words.steps}>
      {[...(steps ?? []), ...(why === undefined ? [] : [why])].map((step) => (
        <li key={step}>
          <AmountsText text={step} />
        </li>
      ))}
    </ul>
  );
}
