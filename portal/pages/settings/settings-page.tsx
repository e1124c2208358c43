import { settings as texts } from '#portal/texts/settings.ts';
import { Page } from '#ui/page.tsx';
import { Stack } from '#ui/stack.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PayoutCard } from './payout-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { SessionCard } from './session-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** What somebody says of themselves, how they are paid, and how they sign in. */
export function SettingsPage() {
  return (
    <Page title={texts.title} width="narrow">
      <Stack gap={4}>
        <ProfileCard />
        <PayoutCard />
        <PasskeysCard />
        <SessionsCard />
        <SessionCard />
      </Stack>
    </Page>
  );
}
