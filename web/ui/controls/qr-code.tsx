import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Button } from './button.tsx';
import { download } from '../table/download.ts';
import styles from './qr-code.module.css';
import { toast } from '../feedback/toast.tsx';
import { Row } from './stack.tsx';
import { texts } from '../shell/texts.ts';

export type QrCodeProps = {
  /** The address to encode. */
  readonly text: string;
  /** The size in px, including the margin. */
  readonly size?: number | undefined;
  /** The name of the downloaded file, without extension. If undefined, the QR code has no download button. */
  readonly fileName?: string | undefined;
};

/** Shows a QR code. The page generates it, so the address is not sent to any server. */
export function QrCode({ text, size = 168, fileName }: QrCodeProps) {
  const { data: matrix } = useQuery({
    queryKey: ['ui-qr', text],
    // The generator loads only on pages with a QR code.
    queryFn: async () => (await import('uqr')).encode(text, { ecc: 'M', border: 0 }).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const side = matrix?.length ?? 1;
  const path = matrix === undefined ? '' : pathOf(matrix);
  return (
    <div className={styles.qr} style={{ '--qr-size': `${size}px` } as CSSProperties}>
      <div className={styles.code} role="img" aria-label={texts.qr.label(text)}>
        <svg viewBox={`0 0 ${side} ${side}`} shapeRendering="crispEdges" aria-hidden>
          <path d={path} fill="currentColor" />
        </svg>
      </div>
      {fileName !== undefined && (
        <Row gap={2}>
          <Button
            size="small"
            icon={Download}
            aria-label={texts.qr.download(texts.qr.downloadSvg)}
            disabled={matrix === undefined}
            onClick={() => download(new Blob([svgOf(path, side)], { type: 'image/svg+xml' }), `${fileName}.svg`)}
          >
            {texts.qr.downloadSvg}
          </Button>
          <Button
            size="small"
            icon={Download}
            aria-label={texts.qr.download(texts.qr.downloadPng)}
            disabled={matrix === undefined}
            onClick={() => void pngOf(matrix ?? []).then((png) => download(png, `${fileName}.png`), toast.error)}
          >
            {texts.qr.downloadPng}
          </Button>
        </Row>
      )}
    </div>
  );
}

/** Returns an SVG path with one rectangle for each row of adjacent dark squares. */
function pathOf(matrix: readonly (readonly boolean[])[]): string {
  return matrix
    .flatMap((row, y) =>
      row.map((dark, x) => {
        if (!dark || row[x - 1] === true) return '';
        const end = row.indexOf(false, x);
        const length = (end === -1 ? row.length : end) - x;
        return `M${x} ${y}h${length}v1h-${length}z`;
      }),
    )
    .join('');
}

/** The width of the light margin around the QR code, in squares. Scanners can fail without the margin. */
const MARGIN = 4;

function svgOf(path: string, side: number): string {
  const whole = side + 2 * MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-${MARGIN} -${MARGIN} ${whole} ${whole}" shape-rendering="crispEdges"><path fill="#fff" d="M-${MARGIN}-${MARGIN}h${whole}v${whole}h-${whole}z"/><path d="${path}"/></svg>`;
}

/** The size of a square in the PNG file, in pixels. It is large enough for printing. */
const PX_PER_SQUARE = 24;

async function pngOf(matrix: readonly (readonly boolean[])[]): Promise<Blob> {
  const whole = (matrix.length + 2 * MARGIN) * PX_PER_SQUARE;
  const canvas = new OffscreenCanvas(whole, whole);
  const draw = canvas.getContext('2d');
  if (draw === null) throw new Error('This browser cannot create a PNG file. Download the SVG file instead.');
  draw.fillStyle = '#fff';
  draw.fillRect(0, 0, whole, whole);
  draw.fillStyle = '#000';
  for (const [y, row] of matrix.entries()) {
    for (const [x, dark] of row.entries()) {
      if (dark) draw.fillRect((x + MARGIN) * PX_PER_SQUARE, (y + MARGIN) * PX_PER_SQUARE, PX_PER_SQUARE, PX_PER_SQUARE);
    }
  }
  return canvas.convertToBlob({ type: 'image/png' });
}
