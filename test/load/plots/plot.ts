import * as echarts from 'echarts';

export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Plot {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly lines: readonly Line[];
}

const SIZE = { width: 640, height: 360 };
/** Legible on white and on black. */
const TEXT = '#7a8088';
const GRID = '#7a808855';
const COLORS = ['#3b82c4', '#d9730d', '#2f9e6e', '#a855c8', '#c8525a'];

/** An SVG without a background, with logarithmic axes. */
export function svgOf({ title, x, y, lines }: Plot): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, ...SIZE });
  const axis = (name: string, nameGap: number) => ({
    type: 'log' as const,
    name,
    nameGap,
    nameLocation: 'middle' as const,
    nameTextStyle: { color: TEXT },
    axisLabel: { color: TEXT },
    axisLine: { lineStyle: { color: TEXT } },
    splitLine: { lineStyle: { color: GRID } },
  });
  chart.setOption({
    animation: false,
    color: COLORS,
    title: { text: title, textStyle: { color: TEXT, fontSize: 14 } },
    legend: { bottom: 0, itemGap: 16, itemWidth: 16, textStyle: { color: TEXT } },
    grid: { left: 64, right: 24, top: 40, bottom: 80 },
    xAxis: axis(x, 28),
    yAxis: axis(y, 44),
    series: lines.map(({ name, points }) => ({
      type: 'line' as const,
      name,
      data: points.map((point) => [...point]),
      symbol: 'circle',
      symbolSize: 6,
    })),
  });
  try {
    return `${chart.renderToSVGString()}\n`;
  } finally {
    chart.dispose();
  }
}
