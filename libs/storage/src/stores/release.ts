/**
 * Frees the memory of a piece that nothing else uses, unless it is a part of a larger buffer. Pieces that wait for a
 * collection would be most of the memory of a hundred files.
 */
export function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
