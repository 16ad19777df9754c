import { readerLanguage, say } from '@lyceum/messages';
import type { Language } from '@lyceum/messages';
import { webAddress } from './mail-content.policy.js';
import type { MailBlock, MailLink, MailParts } from './mail-parts.js';

const COLON: Readonly<Record<Language, string>> = { en: ': ', 'zh-TW': '：' };

function addressLine({ label, url }: MailLink): string {
  const address = webAddress(url);
  return address === undefined ? label : `${label}${COLON[readerLanguage()]}${address}`;
}

function blockText(block: MailBlock): string {
  if ('text' in block) return block.text;
  if ('items' in block) return block.items.map((item) => `- ${item}`).join('\n');
  if ('link' in block) return addressLine(block.link);
  if ('button' in block) return [addressLine(block.button), block.note ?? ''].join('\n').trimEnd();
  return block.entries
    .map(({ title, text, url }) => [`- ${title}`, text, webAddress(url) ?? ''].filter(Boolean).join('\n  '))
    .join('\n\n');
}

/** The plain text of a mail. The footer follows the line that mail programs know as the end of a text. */
export function mailText({ site, heading, greeting, blocks, reason, unsubscribe }: MailParts): string {
  const footer = [
    '-- ',
    addressLine({ label: site.name, url: site.base_url }),
    reason,
    ...(unsubscribe === null ? [] : [addressLine({ label: say('mail.unsubscribe'), url: unsubscribe })]),
  ];
  return [heading, greeting, ...blocks.map(blockText), footer.join('\n')].join('\n\n');
}
