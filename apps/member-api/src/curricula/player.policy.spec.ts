import { PLAYER_HOSTS, playerOf } from './player.policy.js';

const YOUTUBE = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ';
const VIMEO = 'https://player.vimeo.com/video/76979871';
const LOOM = 'https://www.loom.com/embed/0123456789abcdef0123456789abcdef';
const WISTIA = 'https://fast.wistia.net/embed/iframe/ab12cd34ef';

it.each([
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', YOUTUBE],
  ['https://youtube.com/watch?list=PL1&v=dQw4w9WgXcQ&t=5s#x', YOUTUBE],
  ['https://m.youtube.com/watch?v=dQw4w9WgXcQ', YOUTUBE],
  ['https://youtu.be/dQw4w9WgXcQ?si=abc', YOUTUBE],
  ['https://www.youtube.com/embed/dQw4w9WgXcQ', YOUTUBE],
  ['https://www.youtube.com/live/dQw4w9WgXcQ', YOUTUBE],
  ['https://www.youtube.com/shorts/dQw4w9WgXcQ/', YOUTUBE],
  ['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ', YOUTUBE],
  ['https://vimeo.com/76979871', VIMEO],
  ['https://www.vimeo.com/76979871/9f1f2e3d4c#t=3', VIMEO],
  ['https://player.vimeo.com/video/76979871?title=0', VIMEO],
  ['https://www.loom.com/share/0123456789abcdef0123456789abcdef?sid=1', LOOM],
  ['https://school.wistia.com/medias/ab12cd34ef', WISTIA],
  ['https://fast.wistia.net/embed/iframe/ab12cd34ef', WISTIA],
])('returns the player of %s', (url, player) => {
  expect(playerOf(url)).toBe(player);
});

it.each([
  'https://www.youtube.com/watch?v=dQw4w9WgXcQQ',
  'https://www.youtube.com/watch?x=1#&v=dQw4w9WgXcQ',
  'https://www.youtube.com/playlist?list=PL1',
  'https://youtube.com.example/watch?v=dQw4w9WgXcQ',
  'https://example.com/?https://youtu.be/dQw4w9WgXcQ',
  'https://wwwxyoutube.com/watch?v=dQw4w9WgXcQ',
  'http://youtu.be/dQw4w9WgXcQ',
  'https://youtu.be@example.com/dQw4w9WgXcQ',
  'https://vimeo.com/channels/staffpicks',
  'https://vimeo.com/1234567890123',
  'https://www.loom.com/share/0123',
  'https://a.b.wistia.com/medias/ab12cd34ef',
  'https://cdn.example.com/video.mp4',
  '',
])('returns no player for %s', (url) => {
  expect(playerOf(url)).toBeUndefined();
});

it('uses expressions that PostgreSQL reads in the same way', () => {
  for (const { page, player } of PLAYER_HOSTS) {
    expect(page).toMatch(/^\^https:\/\/.*\$$/);
    // No escapes, no groups with a colon, which would be a named parameter, and no quotes.
    expect(page).not.toMatch(/\\|\(\?|:[a-z]|'/);
    expect(player).toMatch(/^https:\/\/[a-z.-]+\/[a-z/]+\\\d$/);
  }
});
