import UPlot from 'uplot';

export type PlotOptions = {
  readonly height: number;
  /** For each series. */
  readonly dashed: readonly boolean[];
  /** For each series a class that sets `--series` to its colour. */
  readonly colourClasses: readonly string[];
  /** A class that hides an element: colours are read of it. */
  readonly probeClass: string;
  readonly formatAxis: (value: number) => string;
  readonly formatDay: (day: string) => string;
  /** Called with the day under the pointer, by its place, and with undefined when it leaves. */
  readonly onPoint: (at: number | undefined) => void;
};

export type Plot = {
  readonly show: (days: readonly string[], values: readonly (readonly (number | null)[])[]) => void;
  /** Puts the line on a day. */
  readonly point: (at: number | undefined) => void;
  readonly remove: () => void;
};

/** Lines by day on a canvas as wide as its place. It is drawn anew when the theme changes. */
export function drawPlot(place: HTMLElement, options: PlotOptions): Plot {
  let days: readonly string[] = [];
  let plot: UPlot | undefined;
  let data: UPlot.AlignedData = [[]];
  let pointed: number | undefined;

  const draw = () => {
    plot?.destroy();
    plot = new UPlot(
      plotOptions(place, options, () => days),
      data,
      place,
    );
    point(pointed);
  };
  // Drawing anew takes the line off, so it is kept.
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
  place.addEventListener('pointerleave', left);
  resized.observe(place);
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  dark.addEventListener('change', draw);

  return {
    show: (shown, values) => {
      days = shown;
      // Days have one distance whatever their date: their place is their number.
      data = [shown.map((_, at) => at), ...values.map((series) => [...series])];
      if (plot === undefined) draw();
      else plot.setData(data);
    },
    point,
    remove: () => {
      place.removeEventListener('pointerleave', left);
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener('change', draw);
      plot?.destroy();
    },
  };
}

function plotOptions(
  place: HTMLElement,
  { height, dashed, colourClasses, probeClass, formatAxis, formatDay, onPoint }: PlotOptions,
  days: () => readonly string[],
): UPlot.Options {
  const colour = (name: string, className = '') => colourOf(place, `var(${name})`, `${probeClass} ${className}`);
  const [words, lines, ground] = [colour('--text-muted'), colour('--line'), colour('--surface')];
  const strokes = dashed.map((_, at) => colour('--series', colourClasses[at]));
  const font = `12px ${getComputedStyle(place).fontFamily}`;
  return {
    width: place.clientWidth,
    height,
    legend: { show: false },
    padding: [10, 12, 0, 0],
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
        values: (_, places) => places.map((at) => (Number.isInteger(at) ? formatDay(days()[at] ?? '') : '')),
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
        points: { show: days().length === 1 },
      })),
    ],
    hooks: {
      setCursor: [
        // It is called when the chart is drawn anew as well: then the day is not the reader's choice.
        ({ cursor, over }) => {
          if (typeof cursor.idx === 'number' && over.matches(':hover')) onPoint(cursor.idx);
        },
      ],
    },
  };
}

/** From zero; what goes below it has a line to be read by below it as well. */
function rangeOf(low: number, high: number): UPlot.Range.MinMax {
  if (low < 0) return UPlot.rangeNum(low, Math.max(0, high), 0.1, true);
  return [0, high <= 0 ? 1 : high * 1.08];
}

/** A canvas knows neither custom properties nor `light-dark()`: what they come to is read of an element. */
function colourOf(place: HTMLElement, value: string, className: string): string {
  const probe = document.createElement('span');
  probe.className = className.trim();
  probe.style.color = value;
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
