import type {
  Candidate,
  ExplainedConversion,
  ExplainedCorrection,
  ExplainedRefund,
  Explanation as Explained,
} from '@whence/sdk';
import { Dot } from 'lucide-react';
import type { ReactNode } from 'react';
import { CodeBlock } from '../controls/copy.tsx';
import styles from './explanation.module.css';
import { piecesOf } from './explanation-pieces.ts';
import { explanationTexts as texts } from './explanation-texts.ts';
import { Link } from '../controls/link.tsx';
import { Money } from '../controls/money.tsx';
import { Time } from '../controls/time.tsx';

export type ExplanationLinks = {
  readonly collaborator?: ((id: number) => string) | undefined;
  readonly program?: ((id: number, version: number) => string) | undefined;
  /** Renders the author of a manual credit, such as `person 5`. Default: the text from the API. */
  readonly author?: ((author: string) => ReactNode) | undefined;
  /**
   * Renders the end of the sentence about a rejected conversion. Default: `otherwise`, which says that nothing is owed.
   */
  readonly rejected?: ((conversionId: number, otherwise: string) => ReactNode) | undefined;
};

export type ExplanationProps = {
  readonly explanation: Explained;
  /** Functions that return the URLs of partners and programs. Without a function, names are not linked. */
  readonly links?: ExplanationLinks | undefined;
  /** Whether to show the plain text, which can be copied. Default: true. */
  readonly withText?: boolean | undefined;
};

const NOWHERE: ExplanationLinks = {};

/** The maximum number of refunds, and of conversions, that the API lists in an explanation. */
const MOST_LISTED = 200;

/**
 * Shows the explanation of a sale: the calculation of each commission, the reasons why other partners earned nothing,
 * and later changes.
 */
export function Explanation({ explanation, links = NOWHERE, withText = true }: ExplanationProps) {
  const { candidates, refunds, corrections, conversions, omitted, reason, why, text } = explanation;
  const won = candidates.filter(({ outcome }) => outcome === 'won');
  const lost = candidates.filter(({ outcome }) => outcome === 'lost');
  const of: Of = { explanation, links };
  return (
    <div className={styles.explanation}>
      <p className={styles.lead}>
        <Lead explanation={explanation} earners={new Set(won.map(({ collaboratorId }) => collaboratorId)).size} />
      </p>
      {reason !== undefined && <p>{texts.reason(why ?? reason.replaceAll('-', ' '))}</p>}
      {won.length > 0 && (
        <Part heading={texts.earned}>
          <ul className={styles.winners}>
            {won.map((candidate) => (
              <Winner key={keyOf(candidate)} candidate={candidate} {...of} />
            ))}
          </ul>
        </Part>
      )}
      {lost.length > 0 && (
        <Part heading={texts.lost}>
          <ul className={styles.losers}>
            {lost.map((candidate) => (
              <Loser key={keyOf(candidate)} candidate={candidate} {...of} />
            ))}
          </ul>
        </Part>
      )}
      {omitted > 0 && <p className={styles.foot}>{texts.omitted(omitted)}</p>}
      {refunds.length + corrections.length + conversions.length > 0 && (
        <Part heading={texts.since}>
          <ul className={styles.events}>
            {corrections.map((correction) => (
              <Event key={correction.correctionId}>
                <Correction correction={correction} {...of} />
              </Event>
            ))}
            {refunds.map((refund) => (
              <Event key={`${refund.at} ${refund.refundId}`}>
                <Refund refund={refund} {...of} />
              </Event>
            ))}
            {conversions.map((conversion) => (
              <Event key={conversion.id}>
                <Conversion conversion={conversion} {...of} />
              </Event>
            ))}
          </ul>
          {Math.max(refunds.length, conversions.length) >= MOST_LISTED && (
            <p className={styles.foot}>{texts.mostListed(MOST_LISTED)}</p>
          )}
        </Part>
      )}
      {withText && (
        <details>
          <summary>{texts.asText}</summary>
          <CodeBlock title={texts.asText} code={text} />
        </details>
      )}
    </div>
  );
}

type Of = { readonly explanation: Explained; readonly links: ExplanationLinks };

function Lead({ explanation, earners }: { readonly explanation: Explained; readonly earners: number }) {
  const { kind, renewalNumber, renewsTransactionId, decidedAt, base, currency, omitted } = explanation;
  const isRenewal = renewalNumber !== undefined && renewsTransactionId !== undefined;
  return (
    <>
      {isRenewal ? texts.renewal(renewalNumber, renewsTransactionId) : texts.kinds[kind]}
      {texts.decided}
      <Time at={decidedAt} as="datetime" />
      {/* A lead has neither lines nor a currency. */}
      {kind !== 'lead' && (
        <>
          {texts.base}
          <Money minor={base} currency={currency} />
        </>
      )}
      {texts.earners(earners, omitted > 0)}
    </>
  );
}

function Part({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3 className={styles.heading}>{heading}</h3>
      {children}
    </section>
  );
}

function keyOf({ collaboratorId, programId, engagementId, reason }: Candidate): string {
  return [collaboratorId, programId, engagementId, reason].join(' ');
}

function Winner({ candidate, explanation, links }: Of & { readonly candidate: Candidate }) {
  const { share = 0, currency = explanation.currency, steps = [], holds = [] } = candidate;
  return (
    <li className={styles.winner}>
      <div className={styles.who}>
        <strong>
          <PersonName of={candidate} links={links} />
        </strong>
        <span className={styles.amount}>
          <Money minor={share} currency={currency} />
        </span>
      </div>
      <ProgramName of={candidate} links={links} />
      <Steps steps={steps} links={links} />
      <Touches candidate={candidate} kind={explanation.kind} />
      {holds.length > 0 && (
        <p className={styles.foot}>
          {texts.held}
          {holds.join('; ')}
        </p>
      )}
    </li>
  );
}

function Steps({ steps, links }: { readonly steps: readonly string[]; readonly links: ExplanationLinks }) {
  return (
    <ol className={styles.steps} aria-label={texts.steps}>
      {steps.map((step) => (
        <li key={step} className={styles.step}>
          <span>
            <Line text={step} links={links} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function Loser({ candidate, explanation, links }: Of & { readonly candidate: Candidate }) {
  const { reason, why = reason?.replaceAll('-', ' ') } = candidate;
  return (
    <li className={styles.loser}>
      <div className={styles.loserHead}>
        <strong>
          <PersonName of={candidate} links={links} />
        </strong>
        <ProgramName of={candidate} links={links} />
      </div>
      {why !== undefined && (
        <p>
          <Line text={why} links={links} />
        </p>
      )}
      <Touches candidate={candidate} kind={explanation.kind} />
    </li>
  );
}

type TouchesProps = { readonly candidate: Candidate; readonly kind: Explained['kind'] };

/**
 * Shows when a candidate referred the visitor. A renewal is credited to the partners who earned its sale, so it has a
 * single date.
 */
function Touches({ candidate: { firstAt, lastAt, score }, kind }: TouchesProps) {
  if (firstAt === undefined || lastAt === undefined) return null;
  const isSpan = kind !== 'renewal' && firstAt !== lastAt;
  return (
    <p className={styles.foot}>
      {kind === 'renewal' ? texts.creditedOn : isSpan ? texts.touchedFrom : texts.touchedOn}
      <Time at={firstAt} as="datetime" />
      {isSpan && texts.touchedTo}
      {isSpan && <Time at={lastAt} as="datetime" />}
      {kind !== 'renewal' && score !== undefined && texts.score(score)}
    </p>
  );
}

function Event({ children }: { readonly children: ReactNode }) {
  return (
    <li className={styles.event}>
      <Dot aria-hidden />
      <span>{children}</span>
    </li>
  );
}

function Refund({ refund, explanation }: Of & { readonly refund: ExplainedRefund }) {
  const { kind, at, amount, refundId, reversedAt } = refund;
  const isLead = explanation.kind === 'lead';
  return (
    <>
      {isLead ? texts.takenBack : texts.refunds[kind]}
      <Time at={at} as="datetime" />
      {refundId !== undefined && texts.refundId(refundId)}
      {!isLead && (
        <>
          {texts.refunded}
          <Money minor={amount} currency={explanation.currency} />
        </>
      )}
      {reversedAt !== undefined && (
        <>
          {texts.undone}
          <Time at={reversedAt} as="datetime" />
        </>
      )}
    </>
  );
}

function Correction({
  correction: { at, correctionId, total },
  explanation,
}: Of & { readonly correction: ExplainedCorrection }) {
  return (
    <>
      {texts.corrected}
      <Time at={at} as="datetime" />
      {texts.correctionId(correctionId)}
      {texts.newTotal}
      <Money minor={total} currency={explanation.currency} />
      {texts.fromThenOn}
    </>
  );
}

function Conversion({ conversion, links }: Of & { readonly conversion: ExplainedConversion }) {
  const { id, type, author = '', awardedAt, note, awarded, amount, currency, status, review, reason } = conversion;
  return (
    <>
      {texts.conversion(id)}
      {texts.of}
      <PersonName of={conversion} links={links} />
      {texts.within(programText(conversion))}
      {type === 'manual' && (
        <>
          {texts.byHand}
          {links.author?.(author) ?? author}
          {texts.on}
          <Time at={awardedAt} as="datetime" />
          {note !== undefined && texts.note(note)}
        </>
      )}
      {texts.awarded}
      <Money minor={awarded} currency={currency} />
      {amount !== awarded && status !== 'rejected' && (
        <>
          {texts.worth}
          <Money minor={amount} currency={currency} />
          {texts.now}
        </>
      )}
      {status === 'rejected' ? texts.rejected(reason) : texts.state[review === 'held' ? 'held' : status]}
      {status === 'rejected' && (links.rejected?.(id, texts.nothingOwed) ?? texts.nothingOwed)}
      {conversion.steps !== undefined && <Steps steps={conversion.steps} links={links} />}
    </>
  );
}

type Named = Pick<
  Candidate | ExplainedConversion,
  'collaboratorId' | 'collaboratorName' | 'programId' | 'programName' | 'programVersion'
>;
type NamedOf = { readonly of: Named; readonly links: ExplanationLinks };

function PersonName({ of: { collaboratorId, collaboratorName }, links }: NamedOf) {
  const name = collaboratorName ?? texts.collaborator(collaboratorId);
  const href = links.collaborator?.(collaboratorId);
  return href === undefined ? name : <Link href={href}>{name}</Link>;
}

/** Shows the program, or nothing for a touch that no program counted. */
function ProgramName({ of, links }: NamedOf) {
  const { programId, programVersion } = of;
  if (programId === undefined || programVersion === undefined) return null;
  const href = links.program?.(programId, programVersion);
  const words = programText(of);
  return <span className={styles.foot}>{href === undefined ? words : <Link href={href}>{words}</Link>}</span>;
}

function programText({ programId = 0, programName, programVersion = 0 }: Named): string {
  return texts.program(programName ?? texts.programNumber(programId), programVersion);
}

/** Shows the service's text of a step or a reason, with formatted amounts and linked partner numbers. */
function Line({ text, links }: { readonly text: string; readonly links: ExplanationLinks }) {
  return piecesOf(text).map((piece) => {
    switch (piece.kind) {
      case 'words':
        return piece.text;
      case 'money':
        return <Money key={piece.from} minor={piece.minor} currency={piece.currency} />;
      case 'collaborator':
        return <CollaboratorNumber key={piece.from} id={piece.id} text={piece.text} links={links} />;
      default:
        return piece satisfies never;
    }
  });
}

type CollaboratorNumberProps = { readonly id: number; readonly text: string; readonly links: ExplanationLinks };

function CollaboratorNumber({ id, text, links }: CollaboratorNumberProps) {
  const href = links.collaborator?.(id);
  return <span className={styles.foot}>({href === undefined ? text : <Link href={href}>{text}</Link>})</span>;
}
