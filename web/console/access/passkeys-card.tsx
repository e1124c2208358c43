import { account } from './account-texts.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { PasskeysCard as Card } from '#web/ui/shell/passkeys-card.tsx';

const KEY = ['account', 'passkeys'];

export function PasskeysCard() {
  const { account: api } = useApi();
  return (
    <Card
      queryKey={KEY}
      calls={{
        list: (signal) => api.listPasskeys({ perPage: 100 }, { signal }).page(),
        challenge: () => api.challengePasskey(),
        create: (made) => api.createPasskey(made),
        remove: (id) => api.deletePasskey(id),
      }}
      {...account.passkeys}
    />
  );
}
