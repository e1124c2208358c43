import { settings as texts } from '../organizations/settings-texts.ts';
import { accentColors } from '#web/ui/formats/accent.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import styles from '../organizations/settings.module.css';

type BrandPreviewProps = { readonly name: string; readonly accent: string; readonly logo: string | null };

/** Shows a live preview of the portal's header. */
export function BrandPreview({ name, accent, logo }: BrandPreviewProps) {
  const colors = accentColors(accent);
  return (
    <Stack gap={1}>
      <Text tone="muted" size="small">
        {texts.portal.preview}
      </Text>
      <div className={styles.preview}>
        {logo === null ? <strong>{name}</strong> : <img src={logo} alt={name} />}
        {colors !== undefined && (
          <span className={styles.sample} style={{ background: colors.fill, color: colors.on }}>
            {texts.portal.previewButton}
          </span>
        )}
      </div>
    </Stack>
  );
}
