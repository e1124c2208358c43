import type { PortalMaterial } from '@whence/sdk';
import { embedCode } from './embed-code.ts';
import { materials as texts } from './materials-texts.ts';
import styles from './materials.module.css';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { CopyButton } from '#web/ui/controls/copy.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { fileFacts, MaterialPreview } from '#web/ui/materials/material-file.tsx';
import { Card } from '#web/ui/shell/card.tsx';

/** Shows a material with the buttons to download and copy it. */
export function MaterialCard({ material }: { readonly material: PortalMaterial }) {
  const { kind, title, programName, licenseNote, text, link, file } = material;
  return (
    <Card title={title} description={programName === null ? undefined : texts.for(programName)}>
      <Stack gap={3}>
        {file !== null && <MaterialPreview file={file} title={title} />}
        {text !== null && <p className={styles.text}>{text}</p>}
        {kind === 'link' && link !== null && <p className={styles.link}>{link}</p>}
        {licenseNote !== null && <Text size="small">{licenseNote}</Text>}
        {file !== null && (
          <Text tone="muted" size="small">
            {fileFacts(file)}
          </Text>
        )}
        <Row gap={1}>
          {file !== null && (
            <LinkButton size="small" href={file.url}>
              {texts.download}
            </LinkButton>
          )}
          {text !== null && link !== null && <CopyButton text={text} label={texts.copyText} variant="secondary" />}
          {file !== null && file.width !== null && link !== null && (
            <CopyButton text={embedCode(file, title, link)} label={texts.copyHtml} variant="secondary" />
          )}
          {text === null && link !== null && <CopyButton text={link} label={texts.copyLink} variant="secondary" />}
        </Row>
      </Stack>
    </Card>
  );
}
