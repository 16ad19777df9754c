import { STYLE } from './style.js';

describe('The style of all pages', () => {
  it('changes its layout at one width', () => {
    // The browser suites look at one page above it and one below.
    expect(STYLE.match(/@(?:media|container)[^{]*(?:width|inline-size)[^{]*/g)).toEqual(['@media (max-width:32rem)']);
  });

  it('keeps its style within 12 kB', () => {
    expect(Buffer.byteLength(STYLE)).toBeLessThanOrEqual(12_288);
  });

  it('works from right to left: no rule names a side, and no shorthand has two different ones', () => {
    const sided = /(?:^|[;{])(?:[a-z]+-)?(?:left|right)(?:-[a-z]+)*:|(?:float|clear|text-align):(?:left|right)/m;
    expect(STYLE).not.toMatch(sided);
    for (const rule of ['a{left:0}', 'a{margin-left:1px}', 'a{top:0;border-right-color:red}', 'a{text-align:right}'])
      expect(rule).toMatch(sided);
    // The second of four values is the right side, and the fourth is the left one.
    const shorthands = [...STYLE.matchAll(/[;{](?:padding|margin|inset):([^;}]+)/g)].map(([, value = '']) =>
      value.split(/ (?![^(]*\))/),
    );
    expect(shorthands.length).toBeGreaterThan(20);
    expect(shorthands.filter(([, right, , left]) => left !== undefined && left !== right)).toEqual([]);
  });
});
