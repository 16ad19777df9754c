import { replaceInvisible } from '@lyceum/platform';

/** Text that mail programs turn into a link: a scheme, or a host name. */
const LINK = /:\/\/|[\p{L}\p{N}]\.\p{L}{2}/u;

/** Characters. */
const LONGEST_NAME = 100;

/** One line of a mail, from user content. */
export function mailLine(text: string): string {
  return replaceInvisible(text, ' ').replaceAll(/\s+/gu, ' ').trim();
}

/** The name in the first line of a mail. Undefined for one that could contain a link or a text of its own. */
export function greetedName(name: string): string | undefined {
  const isPlain = name !== '' && name.length <= LONGEST_NAME && mailLine(name) === name && !LINK.test(name);
  return isPlain ? name : undefined;
}
