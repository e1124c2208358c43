import { type Link, sharedUrl } from './links-query.ts';
import { links as texts } from './links-texts.ts';
import { CopyLine } from '#web/ui/controls/copy.tsx';
import { LazyDialog } from '#web/ui/overlay/lazy-dialog.tsx';
import { QrCode } from '#web/ui/controls/qr-code.tsx';
import { ShareButton } from '#web/ui/controls/share.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import styles from './links.module.css';

export function LinkDialog({ link, onClose }: { readonly link: Link; readonly onClose: () => void }) {
  const { code } = link;
  const url = sharedUrl(link);
  return (
    <LazyDialog
      open
      onClose={onClose}
      title={texts.dialogTitle(code)}
      description={texts.dialogDescription}
      size="small"
    >
      <Stack gap={4}>
        <div className={styles.bigCode}>
          <QrCode text={url} size={240} fileName={texts.fileName(code)} />
        </div>
        <CopyLine text={url} />
        <ShareButton url={url} variant="primary" wide />
      </Stack>
    </LazyDialog>
  );
}
