import type { Upload } from '#src/edge/upload.js';
import { dataUrl, sentPictures } from './look-pictures.policy.js';

/** The chunks of a PNG of one pixel. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  'base64',
);
const PNG = { type: 'image/png' as const, bytes: DOT };
const GIF = Buffer.from('GIF89a');

/** A form as it was sent. */
function sent(texts: Readonly<Record<string, string>>, files: Readonly<Record<string, Buffer>> = {}): Upload {
  return { text: (name) => texts[name], file: async (name) => files[name] ?? Buffer.alloc(0) };
}

describe('a form of the look', () => {
  it('chooses no picture without files', async () => {
    expect(await sentPictures(sent({ logo_url: 'https://cdn.example.com/a.png' }))).toEqual({
      chosen: {},
      removed: [],
      faults: [],
    });
  });

  it('chooses pictures of files, or of an earlier preview', async () => {
    const { chosen } = await sentPictures(sent({ favicon_chosen: dataUrl(PNG) }, { logo_file: DOT }));
    expect(chosen).toEqual({ logo: PNG, favicon: PNG });
  });

  it('prefers a new file, also when it is refused', async () => {
    const earlier = { logo_chosen: dataUrl(PNG) };
    expect(await sentPictures(sent(earlier, { logo_file: GIF }))).toEqual({
      chosen: {},
      removed: [],
      faults: [{ field: 'logo_file', code: 'type' }],
    });
  });

  it('removes pictures although it has files', async () => {
    const all = sent({ logo_removal: 'yes', logo_chosen: dataUrl(PNG) }, { logo_file: DOT, favicon_file: DOT });
    expect(await sentPictures(all)).toEqual({ chosen: { favicon: PNG }, removed: ['logo'], faults: [] });
  });

  it.each(['data:image/png;base64,', `${dataUrl(PNG)}"`, dataUrl({ type: 'image/png', bytes: GIF })])(
    'refuses an earlier picture that is none any more: %j',
    async (favicon_chosen) => {
      const { chosen, faults } = await sentPictures(sent({ favicon_chosen }));
      expect([chosen, faults]).toEqual([{}, [{ field: 'favicon_file', code: 'type' }]]);
    },
  );
});
