import { useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '@whence/sdk';
import { keys as texts } from './keys-texts.ts';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

const words = texts.revoke;

type RevokeDialogProps = { readonly apiKey: ApiKey; readonly onClose: () => void };

/**
 * Asks for confirmation before an API key is revoked. Within a second, the service refuses calls with a revoked key.
 */
export function RevokeDialog({ apiKey, onClose }: RevokeDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const revoke = async (): Promise<void> => {
    await api.apiKeys.revoke(apiKey.id);
    toast.success(words.done);
    await queries.invalidateQueries({ queryKey: ['apiKeys'] });
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.title(apiKey.label)}
      confirmLabel={words.confirm}
      danger
      onConfirm={revoke}
    >
      {words.detail}
    </ConfirmDialog>
  );
}
