import { pictureAfter } from './picture.policy.js';

const [FILE, OTHER] = ['019ab3c0-de90-7a01-9c3d-4e5f60718293', '019ab3c0-de90-7a01-9c3d-4e5f60718294'];
const [ELSEWHERE, NEW] = ['https://cdn.example.com/a.png', 'https://cdn.example.com/b.png'];
const urlOf = (id: string): string => `https://school.example.com/files/public/${id}`;
const MEMBERS = { url: 'image_url', file_id: 'image_file_id' };
const after = (current: Parameters<typeof pictureAfter>[0], patch: object) =>
  pictureAfter(current, patch, urlOf, MEMBERS);

const NONE = { url: null, file_id: null };
const BY_URL = { url: ELSEWHERE, file_id: null };
const BY_FILE = { url: urlOf(FILE), file_id: FILE };
const BY_OTHER = { url: urlOf(OTHER), file_id: OTHER };

it.each([
  ['itself without its members', BY_FILE, {}, BY_FILE],
  ['a file in place of nothing', NONE, { file_id: FILE }, BY_FILE],
  ['a file in place of an address', BY_URL, { file_id: FILE }, BY_FILE],
  ['a file with null for the address', BY_URL, { url: null, file_id: FILE }, BY_FILE],
  ['another file', BY_FILE, { file_id: OTHER }, BY_OTHER],
  ['another file beside the address that was shown', BY_FILE, { url: BY_FILE.url, file_id: OTHER }, BY_OTHER],
  ['an address in place of a file', BY_FILE, { url: NEW }, { url: NEW, file_id: null }],
  ['an address with null for the file', BY_FILE, { url: NEW, file_id: null }, { url: NEW, file_id: null }],
  ['another address', BY_URL, { url: NEW }, { url: NEW, file_id: null }],
  ['nothing after null for the address', BY_FILE, { url: null }, NONE],
  ['nothing after null for the file', BY_FILE, { file_id: null }, NONE],
  ['nothing after null for the file beside the address that was shown', BY_FILE, { ...BY_FILE, file_id: null }, NONE],
  ['its address after null for a file that it does not have', BY_URL, { file_id: null }, BY_URL],
  ['itself with the members that were shown', BY_FILE, BY_FILE, BY_FILE],
])('becomes %s', (_name, current, patch, wanted) => {
  expect(after(current, patch)).toEqual(wanted);
});

it.each([
  [NONE, { url: NEW, file_id: FILE }],
  [BY_FILE, { url: NEW, file_id: FILE }],
  [BY_FILE, { url: NEW, file_id: OTHER }],
])('refuses a file and another address: %j after %j', (current, patch) => {
  expect(() => after(current, patch)).toThrow(
    expect.objectContaining({
      code: 'validation_failed',
      errors: [expect.objectContaining({ pointer: '/image_file_id' })],
    }),
  );
});
