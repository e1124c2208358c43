import { settings as texts } from './settings-texts.ts';
import { Page } from '#web/ui/shell/page.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { AgreementCard } from './agreement-card.tsx';
import { EmailsCard } from './emails-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PayoutCard } from './payout-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { SessionCard } from './session-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TaxCard } from './tax-card.tsx';

export function SettingsPage() {
  return (
    <Page title={texts.title} width="narrow">
      <Stack gap={4}>
        <ProfileCard />
        <PayoutCard />
        <TaxCard />
        <AgreementCard />
        <EmailsCard />
        <PasskeysCard />
        <SessionsCard />
        <SessionCard />
      </Stack>
    </Page>
  );
}
