import { Readable } from 'node:stream';
import { CONTENT_TYPES, requireContent } from '../src/contents/require-content.js';
import type { ContentType } from '../src/contents/require-content.js';
import { zipFile } from '@lyceum/testing';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const ftyp = (brand: string) =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}\0\0\0\0${brand}mif1`)]);
const office = (entry: string) => zipFile([{ name: '[Content_Types].xml' }, { name: entry }]);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');

const SAMPLES: Readonly<Record<ContentType, Buffer>> = {
  'image/png': PNG,
  'image/jpeg': Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
  'image/gif': GIF,
  'image/webp': Buffer.from('RIFF\x1a\0\0\0WEBPVP8L\r\0\0\0', 'latin1'),
  'image/avif': ftyp('avif'),
  'image/x-icon': Buffer.from('00000100010001010000010020003000000016000000', 'hex'),
  'image/svg+xml': SVG,
  'application/pdf': Buffer.from('%PDF-1.7\n1 0 obj\n'),
  'audio/mpeg': Buffer.concat([Buffer.from('fffb9000', 'hex'), Buffer.alloc(2_000)]),
  'video/mp4': ftyp('isom'),
  'video/webm': Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104', 'hex'),
  'application/zip': zipFile([{ name: 'index.html' }]),
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': office('word/document.xml'),
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': office('xl/workbook.xml'),
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': office('ppt/presentation.xml'),
  'text/plain': Buffer.from('课 plain text'),
  'text/csv': Buffer.from('email,name\na@example.com,A\n'),
  'application/x-ndjson': Buffer.from('{"a":1}\n'),
};

function refusal(content_type: ContentType, bytes: Buffer): Promise<string> {
  const read = (_key: string, range?: { start: number; end: number }) =>
    Promise.resolve(Readable.from([bytes.subarray(range?.start, (range?.end ?? bytes.length) + 1)]));
  return requireContent({ read }, { key: 'files/a', bytes: bytes.length, content_type }).then(
    () => 'none',
    ({ reason }: { reason: string }) => reason,
  );
}

it.each(CONTENT_TYPES)('accepts %s, and refuses it in place of another type', async (type) => {
  expect(await refusal(type, SAMPLES[type])).toBe('none');
  for (const other of ['image/png', 'application/pdf'] as const) {
    if (other !== type) expect(await refusal(other, SAMPLES[type])).toBe('type_mismatch');
  }
});

it.each<[ContentType, Buffer, string]>([
  ['text/csv', PNG, 'type_mismatch'],
  ['text/csv', Buffer.from('a\0b'), 'type_mismatch'],
  ['text/plain', Buffer.from([0xff, 0x61]), 'type_mismatch'],
  ['text/csv', Buffer.from([0xff, 0xff]), 'type_mismatch'],
  ['text/csv', Buffer.from('%PDF-1.7\n1 0 obj\n'), 'type_mismatch'],
  ['text/csv', Buffer.from('%!PS-Adobe-3.0 EPSF-3.0\n'), 'type_mismatch'],
  ['text/plain', Buffer.from('%!PS-Adobe-3.0\n'), 'type_mismatch'],
  ['text/plain', Buffer.from('{\\rtf1 a}'), 'type_mismatch'],
  ['text/plain', Buffer.from('<?xml version="1.0"?><a/>'), 'type_mismatch'],
  ['text/csv', GIF, 'type_mismatch'],
  ['text/csv', Buffer.from('MZ\x90\0\x03', 'latin1'), 'type_mismatch'],
  ['text/plain', Buffer.from([0xaa, 0x4c]), 'type_mismatch'],
  ['image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="a()"/>'), 'unsafe_svg'],
  ['image/svg+xml', PNG, 'unsafe_svg'],
  ['application/zip', zipFile([{ name: '../a' }]), 'unsafe_zip'],
  [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    office('xl/workbook.xml'),
    'type_mismatch',
  ],
])('refuses content of %s', async (type, bytes, reason) => expect(await refusal(type, bytes)).toBe(reason));

it.each([
  'BMI,email\n',
  '\ufeffBMI,email\n',
  'MZ,email\n',
  'MAC address,owner\n',
  'FORM,name\n',
  'solid state physics\n',
  'WEBVTT\n\n00:00.000 --> 00:01.000\n',
  'BEGIN:VCALENDAR\n',
])('accepts %j, which begins as a file of another format does', async (text) => {
  for (const type of ['text/plain', 'text/csv', 'application/x-ndjson'] as const)
    expect(await refusal(type, Buffer.from(text))).toBe('none');
});

it('accepts text that has a character across the end of the first bytes', async () => {
  expect(await refusal('text/plain', Buffer.from('课'.repeat(5_000)))).toBe('none');
  const big5 = Buffer.from([0xaa, 0x4c, 0xac, 0xfc]);
  expect(await refusal('text/csv', big5)).toBe('none');
  expect(await refusal('text/csv', Buffer.concat([Buffer.from('a'), ...Array<Buffer>(5_000).fill(big5)]))).toBe('none');
});
