import type { ApiKey } from '@whence/sdk';
import { keys as texts } from './keys-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';

const words = texts.revoke;

/**
 * Asks for confirmation before an API key is revoked. Within a second, the service refuses calls with a revoked key.
 */
export function RevokeDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const revoke = useCall((api) => api.apiKeys.revoke(apiKey.id), { reloads: ['apiKeys'], done: words.done });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.title(apiKey.label)}
      confirmLabel={words.confirm}
      danger
      onConfirm={revoke.mutateAsync}
    >
      {words.detail}
    </ConfirmDialog>
  );
}
