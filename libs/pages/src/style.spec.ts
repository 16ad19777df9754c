import { STYLE } from './style.js';

describe('The style of all pages', () => {
  it('changes its layout at one width', () => {
    // The browser suites look at one page above it and one below.
    expect(STYLE.match(/@(?:media|container)[^{]*(?:width|inline-size)[^{]*/g)).toEqual(['@media (max-width:32rem)']);
  });

  it('keeps its style within 12 kB, with logical properties in place of left and right', () => {
    expect(Buffer.byteLength(STYLE)).toBeLessThanOrEqual(12_288);
    expect(STYLE).not.toMatch(/(?:margin|padding|border)-(?:left|right)|text-align:(?:left|right)/);
  });
});
