import { isVisibleLine } from '@lyceum/platform';

/** Maximum bytes of a name in UTF-8, as in common file systems. */
export const MAX_FILENAME_BYTES = 255;

/** Devices of Windows, with and without an extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

const RULES: readonly (readonly [refuses: (name: string) => boolean, why: string])[] = [
  [(name) => name === '', 'The name of a file is not empty'],
  [(name) => !name.isWellFormed() || /\p{Cc}|\p{Zl}|\p{Zp}/u.test(name), 'Control characters are not allowed'],
  // These characters can reverse a name, so that `fdp.exe` looks like `exe.pdf`.
  [(name) => !isVisibleLine(name), 'Invisible characters and changes of direction are not allowed'],
  [(name) => /[/\\:]/.test(name), 'The name must not have a path: / \\ and : are not allowed'],
  [
    (name) => name.startsWith(' ') || /[. ]$/.test(name),
    'The name must not begin with a space or end with a space or a dot',
  ],
  [(name) => DEVICE.test(name), 'The name is reserved on Windows'],
  [
    (name) => Buffer.byteLength(name) > MAX_FILENAME_BYTES,
    `The name must have at most ${MAX_FILENAME_BYTES} bytes in UTF-8`,
  ],
];

/** Returns the name of a file in Unicode NFC, or the reason for which it is refused. */
export function cleanFilename(name: string): { readonly filename: string } | { readonly refusal: string } {
  const filename = name.normalize('NFC');
  const [, refusal] = RULES.find(([refuses]) => refuses(filename)) ?? [];
  return refusal === undefined ? { filename } : { refusal };
}
