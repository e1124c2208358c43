import { Eye } from 'lucide-react';
import { useEndPreview, useSession } from '../session.ts';
import { frame as texts } from './frame-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import styles from './preview-banner.module.css';

/** Shows a banner above all pages while a user of the merchant previews the portal as a partner. */
export function PreviewBanner() {
  const { collaborator, isPreview } = useSession();
  const end = useEndPreview();
  if (!isPreview) return null;
  return (
    <aside className={styles.banner} aria-label={texts.preview.title(collaborator.name)}>
      <Eye aria-hidden />
      <p>
        <strong>{texts.preview.title(collaborator.name)}</strong> {texts.preview.detail}
      </p>
      <Button size="small" onClick={() => end.mutate()}>
        {texts.preview.end}
      </Button>
    </aside>
  );
}
