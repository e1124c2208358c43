import type { SignUp } from '@whence/sdk';
import { collaborators as texts } from './collaborators-texts.ts';
import { fraudResults } from '../attribution/fraud-results-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import styles from './collaborators.module.css';

/**
 * Shows the programs that a partner applied to in the portal, with the answers. Without an application, says that the
 * partner was added manually.
 */
export function Applications({ id }: { readonly id: number }) {
  const { data } = useRead(
    ['collaborators', id, 'sign-ups'],
    async (api, options) => (await api.collaborators.listSignUps(id, {}, options).page()).data,
  );
  if (data === undefined) return <Skeleton width="16ch" />;
  if (data.length === 0) return <Text tone="faint">{texts.list.byHand}</Text>;
  return (
    <span className={styles.applications}>
      {data.map(({ id: signUp, programName, answers, signals }) => (
        <span key={signUp}>
          {programName}
          <SignUpSignals signals={signals} />
          <Answers answers={answers} />
        </span>
      ))}
    </span>
  );
}

/** Shows the fraud signals of an application with their facts. */
export function SignUpSignals({ signals }: Pick<SignUp, 'signals'>) {
  return signals.map((signal) => (
    <div key={signal.reason}>
      <StatusBadge status="flagged" label={fraudResults.reasons[signal.reason]} />{' '}
      <Text tone="muted" size="small">
        {fraudResults.facts(signal)}
      </Text>
    </div>
  ));
}

/**
 * Shows the answers of an application. Web addresses are links that don't send the console's address as the referrer.
 */
export function Answers({ answers }: Pick<SignUp, 'answers'>) {
  return (
    <dl className={styles.answers}>
      {answers.map(({ label, value }) => (
        <div key={label}>
          <dt>
            <Text size="small" tone="muted">
              {label}
            </Text>
          </dt>
          <dd className={styles.answer}>{isPage(value) ? <Link href={value}>{value}</Link> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * Returns whether an answer is the address of a page. In fields for a URL, the service stores only addresses that begin
 * with `http://` or `https://`.
 */
function isPage(value: string): boolean {
  return (value.startsWith('https://') || value.startsWith('http://')) && !value.includes(' ') && URL.canParse(value);
}
