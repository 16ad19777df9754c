import { WIDTHS, isDecoded, requireTime, sizedName, widthOf, widthOfName } from './image.policy.js';

const content = { sha256: 'a'.repeat(64) };

it.each(WIDTHS)('accepts the width %d, and refuses its neighbors', (width) => {
  expect(widthOf(String(width))).toBe(width);
  for (const other of [width - 1, width + 1])
    expect(() => widthOf(String(other))).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});

it.each(['', '0', '-64', '064', '64.0', '6e1', ' 64', '64px', 'NaN', '99999999999', ['64', '64'], ['64']])(
  'refuses the width %j and names the list',
  (w) => expect(() => widthOf(w)).toThrow('w must be one of 64, 128, 256, 480, 640, 960, 1280, 1920'),
);

it('returns no width without the parameter', () => expect(widthOf(undefined)).toBeUndefined());

it('names an image by its content and its width', () => {
  expect(sizedName(content, 640)).toMatch(/^640-[0-9a-f]{16}$/);
  expect(sizedName({ sha256: 'b'.repeat(64) }, 640)).not.toBe(sizedName(content, 640));
  expect(WIDTHS.map((width) => widthOfName(content, sizedName(content, width)))).toEqual([...WIDTHS]);
});

it('knows no name of another content or width', () => {
  const name = sizedName(content, 640);
  for (const other of [sizedName({ sha256: 'b'.repeat(64) }, 640), name.replace('640', '641'), `${name}0`, '640', ''])
    expect(widthOfName(content, other)).toBeUndefined();
});

it('decodes raster images alone', () => {
  expect(['image/png', 'image/avif', 'image/svg+xml', 'image/x-icon', 'application/pdf'].map(isDecoded)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

it.each(['timeout: 42% complete', 'webp: read error\ntimeout: 42% complete'])(
  'lets a client try again after %j',
  (message) => {
    const expected = { code: 'temporarily_unavailable', retryAfter: 15 };
    expect(() => requireTime(new Error(message), 15)).toThrow(expect.objectContaining(expected));
  },
);

it.each(['Input buffer has corrupt header', 'the image says timeout: 3'])(
  'refuses pixels for good after %j',
  (message) => {
    expect(() => requireTime(new Error(message), 15)).not.toThrow();
  },
);
