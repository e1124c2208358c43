import { account as texts } from '#console/texts/account.ts';
import { Page } from '#ui/page.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TotpCard } from './totp-card.tsx';

/** What is one's own: name, ways to sign in, sessions. */
export function AccountPage() {
  return (
    <Page title={texts.title} breadcrumbs={[{ label: texts.settings, href: '/settings' }]} width="narrow">
      <ProfileCard />
      <PasskeysCard />
      <TotpCard />
      <PasswordCard />
      <SessionsCard />
    </Page>
  );
}
