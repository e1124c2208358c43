import { useSession } from '#portal/session.ts';
import { home as texts } from '#portal/texts/home.ts';
import { Page } from '#ui/page.tsx';
import { Stack } from '#ui/stack.tsx';
import { BalanceCard } from './balance-card.tsx';
import { Figures } from './figures.tsx';
import styles from './home.module.css';
import { LatestCard } from './latest-card.tsx';
import { LinkCard } from './link-card.tsx';
import { ProgramsCard } from './programs-card.tsx';
import { Waiting } from './waiting.tsx';

/** What somebody comes for first: their link, what they have, and what has become of it. */
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
