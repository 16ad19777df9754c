/** `digital product` as a member and in names of tools: `digital_product`. */
export function snake(words: string): string {
  return words.replaceAll(/ |(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}
