import type { PortalLink } from '@whence/sdk';
import { links as texts } from './links-texts.ts';
import { LazyConfirmDialog } from '#web/ui/overlay/lazy-dialog.tsx';
import { useCall } from '#web/ui/shell/call.ts';

type RetireDialogProps = { readonly link: Pick<PortalLink, 'id' | 'code'>; readonly onClose: () => void };

/** Asks for confirmation before a link stops working. */
export function RetireDialog({ link: { id, code }, onClose }: RetireDialogProps) {
  const retire = useCall((api) => api.portal.retireLink(id), { reloads: [['portal', 'links']], done: texts.retired });
  return (
    <LazyConfirmDialog
      open
      onClose={onClose}
      title={texts.retireTitle(code)}
      confirmLabel={texts.retireConfirm}
      danger
      onConfirm={retire.mutateAsync}
    >
      {texts.retireDetail}
    </LazyConfirmDialog>
  );
}
