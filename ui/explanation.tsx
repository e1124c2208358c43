import { Dot } from 'lucide-react';
import { useMemo } from 'react';
import { CodeBlock } from './copy.tsx';
import styles from './explanation.module.css';
import {
  explanationLines,
  type InProgram,
  type LoserLine,
  type Person,
  piecesOf,
  type WinnerLine,
} from './explanation-lines.ts';
import { Link } from './link.tsx';
import { Money } from './money.tsx';
import { texts } from './texts.ts';
import { Time } from './time.tsx';

export type ExplanationLinks = {
  readonly collaborator?: ((id: number) => string) | undefined;
  readonly program?: ((id: number, version: number) => string) | undefined;
};

export type ExplanationProps = {
  /** `text` as the API answers it; the numbers in it are those of its fields. */
  readonly explanation: { readonly text: string };
  /** Where the names lead. */
  readonly links?: ExplanationLinks | undefined;
  /** False: without the text as it is, to copy. */
  readonly withText?: boolean | undefined;
};

const NOWHERE: ExplanationLinks = {};

/** Why a sale earned whom what, to be read: who earned, by which arithmetic, who didn't and why, and what has become of it. */
export function Explanation({ explanation: { text }, links = NOWHERE, withText = true }: ExplanationProps) {
  const lines = useMemo(() => explanationLines(text), [text]);
  return (
    <div className={styles.explanation}>
      <p className={styles.lead}>
        <Line text={lines.summary} links={links} />
      </p>
      {lines.reason !== undefined && (
        <p>
          <Line text={lines.reason} links={links} />
        </p>
      )}
      {lines.winners.length > 0 && (
        <section className={styles.part}>
          <h3 className={styles.heading}>{texts.explanation.earned}</h3>
          <ul className={styles.winners}>
            {lines.winners.map((winner) => (
              <Winner key={`${winner.who.name} ${winner.program?.id} ${winner.earned}`} winner={winner} links={links} />
            ))}
          </ul>
        </section>
      )}
      {lines.losers.length > 0 && (
        <section className={styles.part}>
          <h3 className={styles.heading}>{texts.explanation.lost}</h3>
          <ul className={styles.losers}>
            {lines.losers.map((loser) => (
              <Loser key={`${loser.who.name} ${loser.program?.id} ${loser.why}`} loser={loser} links={links} />
            ))}
          </ul>
        </section>
      )}
      {lines.since.length > 0 && (
        <section className={styles.part}>
          <h3 className={styles.heading}>{texts.explanation.since}</h3>
          <ul className={styles.events}>
            {lines.since.map((line) => (
              <li key={line} className={styles.event}>
                <Dot aria-hidden />
                <span>
                  <Line text={line} links={links} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {withText && (
        <details>
          <summary>{texts.explanation.asText}</summary>
          <CodeBlock title={texts.explanation.asText} code={text} />
        </details>
      )}
    </div>
  );
}

type Of<Line> = { readonly links: ExplanationLinks } & Line;

function Winner({ winner, links }: Of<{ readonly winner: WinnerLine }>) {
  const { who, program, earned, steps, touches } = winner;
  return (
    <li className={styles.winner}>
      <div className={styles.who}>
        <strong>
          <PersonName who={who} links={links} />
        </strong>
        <span className={styles.amount}>
          <Line text={earned} links={links} />
        </span>
      </div>
      {program !== undefined && <ProgramName program={program} links={links} />}
      <ol className={styles.steps} aria-label={texts.explanation.steps}>
        {steps.map((step) => (
          <li key={step} className={styles.step}>
            <span>
              <Line text={step} links={links} />
            </span>
          </li>
        ))}
      </ol>
      {touches !== undefined && (
        <p className={styles.foot}>
          <Line text={touches} links={links} />
        </p>
      )}
    </li>
  );
}

function Loser({ loser, links }: Of<{ readonly loser: LoserLine }>) {
  const { who, program, why, touches } = loser;
  return (
    <li className={styles.loser}>
      <div className={styles.loserHead}>
        <strong>
          <PersonName who={who} links={links} />
        </strong>
        {program !== undefined && <ProgramName program={program} links={links} />}
      </div>
      {why !== '' && (
        <p>
          <Line text={why} links={links} />
        </p>
      )}
      {touches !== undefined && (
        <p className={styles.foot}>
          <Line text={touches} links={links} />
        </p>
      )}
    </li>
  );
}

function PersonName({ who, links }: Of<{ readonly who: Person }>) {
  const href = who.id === undefined ? undefined : links.collaborator?.(who.id);
  return href === undefined ? who.name : <Link href={href}>{who.name}</Link>;
}

function ProgramName({ program, links }: Of<{ readonly program: InProgram }>) {
  const href = links.program?.(program.id, program.version);
  const words = texts.explanation.program(program.name, program.version);
  return <span className={styles.foot}>{href === undefined ? words : <Link href={href}>{words}</Link>}</span>;
}

/** A line of the text, its amounts and times as everywhere else. */
function Line({ text, links }: Of<{ readonly text: string }>) {
  return piecesOf(text).map((piece) => {
    switch (piece.kind) {
      case 'words':
        return piece.text;
      case 'money':
        return <Money key={piece.from} minor={piece.minor} currency={piece.currency} />;
      case 'time':
        return <Time key={piece.from} at={piece.at} as="datetime" />;
      case 'collaborator':
        return <CollaboratorNumber key={piece.from} id={piece.id} text={piece.text} links={links} />;
      default:
        return piece satisfies never;
    }
  });
}

function CollaboratorNumber({ id, text, links }: Of<{ readonly id: number; readonly text: string }>) {
  const href = links.collaborator?.(id);
  return <span className={styles.foot}>({href === undefined ? text : <Link href={href}>{text}</Link>})</span>;
}
