import { useSession } from '../session.ts';
import { home as texts } from './home-texts.ts';
import { Page } from '#web/ui/shell/page.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { BalanceCard } from './balance-card.tsx';
import { Figures } from './figures.tsx';
import styles from './home.module.css';
import { LatestCard } from './latest-card.tsx';
import { LinkCard } from './link-card.tsx';
import { ProgramsCard } from './programs-card.tsx';
import { Waiting } from './waiting.tsx';

export function HomePage() {
  const { collaborator } = useSession();
  if (collaborator.status === 'pending') return <Waiting />;
  return (
    <Page title={texts.hello(collaborator.name)} tabTitle={texts.title}>
      <Stack gap={5}>
        <div className={styles.pair}>
          <LinkCard />
          <BalanceCard />
        </div>
        <Figures />
        <div className={styles.pair}>
          <LatestCard />
          <ProgramsCard title={texts.programs.title} />
        </div>
      </Stack>
    </Page>
  );
}
