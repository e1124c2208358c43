import { IS_EMBEDDED } from '../embedding.ts';
import { settings } from './settings-texts.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { PasskeysCard as Card } from '#web/ui/shell/passkeys-card.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import styles from './settings.module.css';

const { embedded, openOwn, ...words } = settings.passkeys;
const KEY = ['portal', 'passkeys'];

export function PasskeysCard() {
  const { portal: api } = useApi();
  return (
    <Card
      queryKey={KEY}
      calls={{
        list: (signal) => api.listPasskeys({ perPage: 100 }, { signal }).page(),
        challenge: () => api.challengePasskey(),
        create: (made) => api.createPasskey(made),
        remove: (id) => api.deletePasskey(id),
      }}
      // The code that embeds the portal allows the frame to use passkeys, but not to create passkeys.
      canAdd={!IS_EMBEDDED}
      {...words}
    >
      {IS_EMBEDDED && <OwnPage />}
    </Card>
  );
}

function OwnPage() {
  const { href } = useLinks();
  return (
    <Text tone="muted" as="p" className={styles.below}>
      {embedded}{' '}
      <Link href={location.origin + href('/settings')} target="_blank">
        {openOwn}
      </Link>
    </Text>
  );
}
