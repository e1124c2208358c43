import type { Material } from '@whence/sdk';
import { FileText } from 'lucide-react';
import styles from './material-file.module.css';
import { materialWords as texts } from './material-texts.ts';

export type ShownFile = NonNullable<Material['file']>;

export type MaterialPreviewProps = {
  readonly file: ShownFile;
  readonly title: string;
  /** Whether the service still serves the file. It doesn't if the material is archived. */
  readonly isServed?: boolean | undefined;
};

/**
 * Shows the image of a material. Shows an icon instead for other types of files, and if the file is no longer served.
 */
export function MaterialPreview({ file: { url, width, height }, title, isServed = true }: MaterialPreviewProps) {
  return (
    <div className={styles.preview}>
      {isServed && width !== null && height !== null ? (
        <img src={new URL(url).pathname} alt={title} width={width} height={height} loading="lazy" />
      ) : (
        <FileText aria-hidden />
      )}
    </div>
  );
}

/** Returns the type and the size of a file in words: `PNG, 728 × 90 px, 48 KiB`. */
export function fileFacts({ type, width, height, bytes }: ShownFile): string {
  const pixels = width === null || height === null ? [] : [texts.pixels(width, height)];
  return [texts.types[type], ...pixels, texts.bytes(bytes)].join(', ');
}
