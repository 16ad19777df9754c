import { svgOf } from './plot.js';

const plot = {
  title: 'Requests a second',
  x: 'connections',
  y: 'requests a second',
  lines: [
    {
      name: 'viewer',
      points: [
        [1, 100],
        [4, 350],
        [16, 700],
      ] as const,
    },
    {
      name: 'introspection',
      points: [
        [1, 900],
        [4, 2_000],
        [16, 4_000],
      ] as const,
    },
  ],
};

describe('a plot', () => {
  it('draws a line for each request, with the titles of both axes', () => {
    const svg = svgOf(plot);
    for (const text of ['Requests a second', 'connections', 'viewer', 'introspection'])
      expect(svg).toContain(`>${text}<`);
    for (const color of ['#3b82c4', '#d9730d']) expect(svg).toContain(`stroke="${color}"`);
  });

  it('draws a small image without scripts, links and a background', () => {
    const svg = svgOf(plot);
    expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg).not.toMatch(/<script|href=|fill="(?:#fff|white)/);
    expect(svg.length).toBeLessThan(30_000);
  });
});
