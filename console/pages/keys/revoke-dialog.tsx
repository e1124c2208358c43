import { useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '@whence/sdk';
import { keys as texts } from '#console/texts/keys.ts';
import { ConfirmDialog } from '#ui/dialog.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { toast } from '#ui/toast.tsx';

const words = texts.revoke;

type RevokeDialogProps = { readonly apiKey: ApiKey; readonly onClose: () => void };

/** Asks, since what uses the key stops at once. */
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
