import type { FulfillmentPreview } from '@whence/sdk';
import { useId } from 'react';
import { CollaboratorName, useNames } from '../names.tsx';
import { payouts as texts } from './payouts-texts.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { RowCheckbox } from '#web/ui/table/row-checkbox.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import styles from './payouts.module.css';
import { PayoutMethod } from './payout-method.tsx';
import { RemindButton } from './remind-button.tsx';
import { includedOf, type LineKey, lineKey } from './run-plan.ts';
import { useFirstLines } from './use-first.tsx';

export type PlannedRunProps = {
  readonly run: FulfillmentPreview;
  readonly leftOut: ReadonlySet<LineKey>;
  readonly onToggle: (key: LineKey) => void;
};

/** Shows the included and excluded partners of a planned run in one currency. */
export function PlannedRun({ run, leftOut, onToggle }: PlannedRunProps) {
  const { currency, payouts, carriedForward } = run;
  const included = includedOf([run], leftOut)[0] ?? run;
  const missing = included.payouts
    .filter(({ payoutMethod }) => payoutMethod === 'none')
    .map(({ collaboratorId }) => collaboratorId);
  const heading = useId();
  const { shown, more } = useFirstLines(
    payouts.toSorted((a, b) => b.amount - a.amount || a.collaboratorId - b.collaboratorId),
  );
  const nameOf = useNames(
    'collaborators',
    shown.map(({ collaboratorId }) => collaboratorId),
  );
  return (
    <section className={styles.planned} aria-labelledby={heading}>
      <header className={styles.plannedHead}>
        <h3 id={heading}>{texts.planning.paid(included.payouts.length)}</h3>
        <Text size="large" strong>
          <Money minor={included.amount} currency={currency} />
        </Text>
      </header>
      {missing.length > 0 && (
        <div className={styles.plannedNotice}>
          <Notice
            tone="warn"
            title={texts.details.missing(missing.length)}
            actions={<RemindButton payees={() => Promise.resolve(missing)} />}
          >
            {texts.details.missingHelp}
          </Notice>
        </div>
      )}
      {payouts.length === 0 && <p className={styles.line}>{texts.planning.nobody}</p>}
      <ul className={styles.lines}>
        {shown.map(({ collaboratorId, amount, obligationIds, payoutMethod }) => {
          const key = lineKey(currency, collaboratorId);
          const isIn = !leftOut.has(key);
          return (
            <li key={key} className={styles.line}>
              <RowCheckbox
                label={texts.planning.include(nameOf(collaboratorId))}
                checked={isIn}
                onChange={() => onToggle(key)}
              />
              <span className={styles.name}>
                <CollaboratorName id={collaboratorId} link={false} />{' '}
                <Text tone="muted" size="small">
                  {isIn ? texts.planning.parts(obligationIds.length) : texts.planning.leftByYou}
                  {texts.planning.and}
                </Text>
                <Text size="small">
                  <PayoutMethod method={payoutMethod} />
                </Text>
              </span>
              <Text tone={isIn ? undefined : 'faint'}>
                <Owed collaboratorId={collaboratorId} amount={amount} currency={currency} />
              </Text>
            </li>
          );
        })}
        {more}
      </ul>
      {carriedForward.length > 0 && <CarriedForward run={run} />}
    </section>
  );
}

function CarriedForward({ run: { currency, carriedForward } }: { readonly run: FulfillmentPreview }) {
  const { shown, more } = useFirstLines(carriedForward);
  return (
    <>
      <h4 className={styles.leftHead}>{texts.planning.left(carriedForward.length)}</h4>
      <ul className={styles.lines}>
        {shown.map(({ collaboratorId, amount, reason }) => (
          <li key={collaboratorId} className={styles.line}>
            <span className={styles.name}>
              <CollaboratorName id={collaboratorId} link={false} />{' '}
              <Text tone="muted" size="small">
                {texts.planning.reasons[reason]}
              </Text>
            </span>
            <Text tone="muted">
              <Owed collaboratorId={collaboratorId} amount={amount} currency={currency} />
            </Text>
          </li>
        ))}
        {more}
      </ul>
    </>
  );
}

type OwedProps = { readonly collaboratorId: number; readonly amount: number; readonly currency: string };

/** Shows an amount that is owed to a partner, with a link to the partner's balance and statement. */
function Owed({ collaboratorId, amount, currency }: OwedProps) {
  return (
    <Link quiet href={`/collaborators/${collaboratorId}?tab=money`}>
      <Money minor={amount} currency={currency} />
    </Link>
  );
}
