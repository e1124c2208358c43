import type { PortalSession } from '@whence/sdk';
import { formatCount } from '#web/ui/formats/numbers.ts';
import { formatMoney } from '#web/ui/formats/money.ts';
import { usePortal } from '../brand.ts';
import { ProgramWords } from '../program-words.tsx';
import { useSession } from '../session.ts';
import { home } from './home-texts.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import styles from './home.module.css';

const texts = home.programs;

export function ProgramsCard({ title }: { readonly title: string }) {
  const { programs, collaborator } = useSession();
  const portal = usePortal();
  const canJoin =
    collaborator.status === 'active' &&
    portal.programs.some(({ id }) => programs.every((program) => program.id !== id));
  return (
    <Card title={title} actions={canJoin && <Link href="/sign-up">{texts.join}</Link>}>
      {programs.length === 0 && <Text tone="muted">{texts.none}</Text>}
      {programs.map(({ id, name, words, goals }) => (
        <div key={id} className={styles.program}>
          <h3 className={styles.programName}>{name}</h3>
          <ProgramWords words={words} more={texts.rules} />
          {goals.map((goal) => (
            <Goal key={goal.kind} {...goal} />
          ))}
        </div>
      ))}
    </Card>
  );
}

type GoalProps = PortalSession['programs'][number]['goals'][number];

/** Shows the partner's progress in the current period toward the next tier or the cap. */
function Goal({ kind, by, period, reached, goal, currency }: GoalProps) {
  const shown = (value: number) => (by === 'count' ? formatCount(value) : formatMoney(value, currency));
  const value = texts.reached(shown(reached), shown(goal), by === 'count', texts.periods[period]);
  return <Progress label={texts.goals[kind]} done={reached} of={goal} value={value} />;
}
