import UPlot from 'uplot';

export type PlotOptions = {
  readonly height: number;
  /** For each series, whether its line is dashed. */
  readonly dashed: readonly boolean[];
  /** One class for each series. It sets `--series` to the color. */
  readonly colorClasses: readonly string[];
  /** A class that hides the element from which colors are read. */
  readonly probeClass: string;
  readonly formatAxis: (value: number) => string;
  /** Called with the index of the point under the pointer, and with undefined when the pointer leaves. */
  readonly onPoint: (at: number | undefined) => void;
  /** Called with the index of a clicked point. */
  readonly onChoose: (at: number) => void;
};

/** A point of the x axis. An incomplete point has a shaded background. */
export type PlotPoint = { readonly tick: string; readonly isIncomplete?: boolean | undefined };

export type Plot = {
  readonly show: (points: readonly PlotPoint[], values: readonly (readonly (number | null)[])[]) => void;
  /** Moves the cursor line to the point with the given index. Undefined hides the line. */
  readonly point: (at: number | undefined) => void;
  readonly remove: () => void;
};

/** Draws lines over time on a canvas with the width of its container. Redraws when the theme changes. */
export function drawPlot(place: HTMLElement, options: PlotOptions): Plot {
  let points: readonly PlotPoint[] = [];
  let plot: UPlot | undefined;
  let data: UPlot.AlignedData = [[]];
  let pointed: number | undefined;

  const draw = () => {
    plot?.destroy();
    plot = new UPlot(
      plotOptions(place, options, () => points),
      data,
      place,
    );
    point(pointed);
  };
  // A redraw removes the cursor line, so remember its point.
  const point = (at: number | undefined) => {
    pointed = at;
    if (at === undefined) plot?.setCursor({ left: -10, top: -10 }, false);
    else plot?.setCursor({ left: plot.valToPos(at, 'x'), top: 0 }, false);
  };
  const resized = new ResizeObserver(() => {
    if (place.clientWidth === 0) return;
    plot?.setSize({ width: place.clientWidth, height: options.height });
    if (pointed !== undefined) point(pointed);
  });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const themed = new MutationObserver(draw);
  const left = () => options.onPoint(undefined);
  const clicked = () => {
    const at = plot?.cursor.idx;
    if (typeof at === 'number') options.onChoose(at);
  };
  place.addEventListener('pointerleave', left);
  place.addEventListener('click', clicked);
  resized.observe(place);
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  dark.addEventListener('change', draw);

  return {
    show: (shown, values) => {
      points = shown;
      // Points have equal distances regardless of their dates, so the x value of a point is its index.
      data = [shown.map((_, at) => at), ...values.map((series) => [...series])];
      if (plot === undefined) draw();
      else plot.setData(data);
    },
    point,
    remove: () => {
      place.removeEventListener('pointerleave', left);
      place.removeEventListener('click', clicked);
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener('change', draw);
      plot?.destroy();
    },
  };
}

function plotOptions(
  place: HTMLElement,
  { height, dashed, colorClasses, probeClass, formatAxis, onPoint }: PlotOptions,
  points: () => readonly PlotPoint[],
): UPlot.Options {
  const color = (name: string, className = '') => colorOf(place, `var(${name})`, `${probeClass} ${className}`);
  const [words, lines, ground] = [color('--text-muted'), color('--line'), color('--surface')];
  const shade = color('--surface-sunken');
  const strokes = dashed.map((_, at) => color('--series', colorClasses[at]));
  const font = `12px ${getComputedStyle(place).fontFamily}`;
  return {
    width: place.clientWidth,
    height,
    legend: { show: false },
    padding: [10, 20, 0, 0],
    cursor: {
      drag: { x: false, y: false },
      y: false,
      points: { size: 8, width: 2, stroke: () => ground, fill: (_, at) => strokes[at - 1] ?? ground },
    },
    scales: { x: { time: false }, y: { range: (_, low, high) => rangeOf(low, high) } },
    axes: [
      {
        stroke: words,
        font,
        size: 26,
        gap: 6,
        grid: { show: false },
        ticks: { show: false },
        space: 72,
        incrs: [1, 2, 7, 14, 30, 60, 90],
        values: (_, places) => places.map((at) => (Number.isInteger(at) ? (points()[at]?.tick ?? '') : '')),
      },
      {
        stroke: words,
        font,
        size: (_, values) => 16 + 7 * Math.max(3, ...(values ?? []).map((text) => text.length)),
        gap: 6,
        grid: { stroke: lines, width: 1 },
        ticks: { show: false },
        space: 44,
        values: (_, values) => values.map((value) => formatAxis(value)),
      },
    ],
    series: [
      {},
      ...dashed.map((dash, at) => ({
        stroke: strokes[at] ?? words,
        width: dash ? 1.5 : 2,
        ...(dash ? { dash: [4, 4] } : {}),
        points: { show: points().length === 1 },
      })),
    ],
    hooks: {
      drawClear: [(plot) => shadeIncomplete(plot, points(), shade)],
      setCursor: [
        // uPlot also calls this hook after a redraw, so check that the pointer is on the chart.
        ({ cursor, over }) => {
          if (typeof cursor.idx === 'number' && over.matches(':hover')) onPoint(cursor.idx);
        },
      ],
    },
  };
}

/** Shades the chart between the first incomplete point and the point before it, if both exist. */
function shadeIncomplete(plot: UPlot, points: readonly PlotPoint[], color: string): void {
  const at = points.findIndex(({ isIncomplete }) => isIncomplete === true);
  if (at < 1) return;
  const from = plot.valToPos(at - 1, 'x', true);
  const to = plot.valToPos(at, 'x', true);
  plot.ctx.fillStyle = color;
  plot.ctx.fillRect(from, plot.bbox.top, to - from, plot.bbox.height);
}

/** Returns the range of the y axis. It starts at zero, or below the lowest value if that is negative. */
function rangeOf(low: number, high: number): UPlot.Range.MinMax {
  if (low < 0) return UPlot.rangeNum(low, Math.max(0, high), 0.1, true);
  return [0, high <= 0 ? 1 : high * 1.08];
}

/**
 * Returns the computed color for a CSS value, because a canvas supports neither custom properties nor `light-dark()`.
 */
function colorOf(place: HTMLElement, value: string, className: string): string {
  const probe = document.createElement('span');
  probe.className = className.trim();
  probe.style.color = value;
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
