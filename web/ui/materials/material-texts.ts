import { formatCount } from '../formats/numbers.ts';

const KIBI = 1_024;

export const materialWords = {
  types: {
    'image/png': 'PNG',
    'image/jpeg': 'JPEG',
    'image/gif': 'GIF',
    'image/webp': 'WebP',
    'image/svg+xml': 'SVG',
    'application/pdf': 'PDF',
  },
  pixels: (width: number, height: number) => `${formatCount(width)} × ${formatCount(height)} px`,
  bytes: (bytes: number) =>
    bytes < KIBI * KIBI
      ? `${formatCount(Math.max(1, Math.round(bytes / KIBI)))} KiB`
      : `${formatCount(Math.round((bytes / KIBI / KIBI) * 10) / 10)} MiB`,
} as const;
