import { useQueryClient } from '@tanstack/react-query';
import type { PortalLink } from '@whence/sdk';
import { links as texts } from './links-texts.ts';
import { LazyConfirmDialog } from '#web/ui/overlay/lazy-dialog.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

type RetireDialogProps = { readonly link: Pick<PortalLink, 'id' | 'code'>; readonly onClose: () => void };

/** Asks for confirmation before a link stops working. */
export function RetireDialog({ link: { id, code }, onClose }: RetireDialogProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const retire = async (): Promise<void> => {
    await api.portal.retireLink(id);
    toast.success(texts.retired);
    await queryClient.invalidateQueries({ queryKey: ['portal', 'links'] });
  };
  return (
    <LazyConfirmDialog
      open
      onClose={onClose}
      title={texts.retireTitle(code)}
      confirmLabel={texts.retireConfirm}
      danger
      onConfirm={retire}
    >
      {texts.retireDetail}
    </LazyConfirmDialog>
  );
}
