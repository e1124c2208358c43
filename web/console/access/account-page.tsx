import { account as texts } from './account-texts.ts';
import { DigestCard } from '../notifications/digest-card.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TotpCard } from './totp-card.tsx';

export function AccountPage() {
  return (
    <Page title={texts.title} breadcrumbs={[{ label: texts.settings, href: '/settings' }]} width="narrow">
      <ProfileCard />
      <DigestCard />
      <PasskeysCard />
      <TotpCard />
      <PasswordCard />
      <SessionsCard />
    </Page>
  );
}
