/** Returns at most `length` UTF-16 units of a text. A character of two units is whole or left out. */
export function beginningOf(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed();
}
