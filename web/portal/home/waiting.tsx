import { useQuery } from '@tanstack/react-query';
import { Check, Clock, type LucideIcon, TrendingUp } from 'lucide-react';
import { IS_EMBEDDED } from '../embedding.ts';
import { sessionQuery, useSession } from '../session.ts';
import { home } from './home-texts.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { classNames } from '#web/ui/controls/class-names.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text, VisuallyHidden } from '#web/ui/controls/text.tsx';
import styles from './home.module.css';
import { ProgramsCard } from './programs-card.tsx';

const texts = home.waiting;

/** The polling interval in milliseconds. After an approval, the portal opens without a reload. */
const ASKED_EVERY_MS = 15_000;

/** Shows an applicant the requested programs and the next step. */
export function Waiting() {
  const { collaborator, portal } = useSession();
  useQuery({ ...sessionQuery(useApi()), refetchInterval: ASKED_EVERY_MS });
  return (
    <Page title={texts.title} tabTitle={home.title} description={texts.description(portal.name)}>
      <div className={styles.pair}>
        <Card>
          <ol className={styles.steps}>
            <Step
              icon={Check}
              state="done"
              title={texts.steps.confirmed}
              detail={collaborator.email !== null && texts.steps.confirmedDetail(collaborator.email)}
            />
            <Step icon={Clock} state="now" title={texts.steps.looked(portal.name)} detail={texts.steps.lookedDetail} />
            <Step icon={TrendingUp} state="next" title={texts.steps.begin} detail={texts.steps.beginDetail} />
          </ol>
        </Card>
        <Stack gap={4}>
          <ProgramsCard title={texts.programs} />
          <Card title={texts.meanwhile} description={texts.meanwhileDetail}>
            <LinkButton href="/settings">{texts.settings}</LinkButton>
          </Card>
        </Stack>
      </div>
      {/* Show the address only in a frame. Outside a frame, the footer of each page already shows it. */}
      {IS_EMBEDDED && portal.supportEmail !== null && (
        <Text tone="muted">
          <Link href={`mailto:${portal.supportEmail}`}>{texts.help(portal.supportEmail)}</Link>
        </Text>
      )}
    </Page>
  );
}

type StepProps = {
  readonly icon: LucideIcon;
  readonly state: 'done' | 'now' | 'next';
  readonly title: string;
  readonly detail: string | false;
};

function Step({ icon: Icon, state, title, detail }: StepProps) {
  return (
    <li className={classNames(styles.step, styles[state])} aria-current={state === 'now' ? 'step' : undefined}>
      <span className={styles.sign}>
        <Icon aria-hidden />
      </span>
      <div className={styles.stepWords}>
        <span className={styles.stepTitle}>
          {title}
          <VisuallyHidden> {texts[`${state}State`]}</VisuallyHidden>
        </span>
        {detail !== false && <Text tone="muted">{detail}</Text>}
      </div>
    </li>
  );
}
